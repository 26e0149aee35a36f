// actio COMMAND: finds the command, runs it, and turns what went wrong into one message and an exit status.
#include <fmt/format.h>

#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "actio/base/option_naming.hpp"
#include "actio/io/run_recipe.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"

namespace actio::cli {

namespace {

const command& command_named(std::string_view name) {
  if (const command* found = find_command(name)) return *found;
  std::vector<std::string> names = {"--help", "--version"};
  for (const command& c : command_catalogue()) names.emplace_back(c.name);
  const std::string what = name.starts_with('-') ? "option" : "command";
  throw input_error("unknown-command-option", fmt::format("unknown {} '{}'", what, name), {"actio", 0, 0},
                    suggest(name, names));
}

int answer(const std::string& text) {
  print_text(text);
  return exit_done;
}

int execute(std::span<const std::string_view> words) {
  const bool asks_for_help = words.empty() || words[0] == "help" || words[0] == "--help" || words[0] == "-h";
  if (asks_for_help && words.size() > 1) return answer(help_text(command_named(words[1])));
  if (asks_for_help) return answer(help_text(command_catalogue()));
  if (words[0] == "--version") return answer(program_version() + "\n");
  const command& chosen = command_named(words[0]);
  command_input input = parse_words(chosen, words.subspan(1));
  input.typed = "actio";
  for (const std::string_view word : words) input.typed += ' ' + shell_word(word);
  return input.wants_help ? answer(help_text(chosen)) : chosen.execute(input);
}

int reported(const std::string& message, int status) {
  note("actio: {}\n", message);
  return status;
}

int guarded(std::span<const std::string_view> words) {
  try {
    return execute(words);
  } catch (const input_error& error) {
    return reported(error.what(), exit_input_wrong);
  } catch (const std::bad_alloc&) {
    return reported("out of memory; try a smaller model or fewer digits", exit_numbers_failed);
  } catch (const std::exception& error) {
    return reported(fmt::format("this is a bug in actio: {}", error.what()), exit_numbers_failed);
  }
}

// Results that did not arrive are no success.
int delivered(int status) {
  flush_console();
  if (console_error().empty()) return status;
  reported(fmt::format("what was printed could not be written: {}", console_error()), status);
  return status == exit_done ? exit_numbers_failed : status;
}

}  // namespace

}  // namespace actio::cli

int main(int count, char** arguments) {
  actio::name_options_as(actio::option_naming::flags);
  actio::cli::prepare_console();
  const std::vector<std::string_view> words(arguments + (count > 0 ? 1 : 0), arguments + count);
  return actio::cli::delivered(actio::cli::guarded(words));
}
