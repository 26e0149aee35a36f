// actio COMMAND: finds the command, runs it, and turns what went wrong into one message and an exit status.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/io/run_recipe.hpp"
#include "apps/cli/commands.hpp"

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
  fmt::print("{}", text);
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
  fmt::print(stderr, "actio: {}\n", message);
  return status;
}

int guarded(std::span<const std::string_view> words) {
  try {
    const int status = execute(words);
    if (std::fflush(stdout) != 0) return reported("the output could not be written", exit_numbers_failed);
    return status;
  } catch (const input_error& error) {
    return reported(error.what(), exit_input_wrong);
  } catch (const std::bad_alloc&) {
    return reported("out of memory; try a smaller model or fewer digits", exit_numbers_failed);
  } catch (const std::exception& error) {
    return reported(fmt::format("this is a bug in actio: {}", error.what()), exit_numbers_failed);
  }
}

}  // namespace

}  // namespace actio::cli

int main(int count, char** arguments) {
  const std::vector<std::string_view> words(arguments + (count > 0 ? 1 : 0), arguments + count);
  return actio::cli::guarded(words);
}
