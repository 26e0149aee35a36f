// Flags are made from the option descriptors; of single options only the lists that may be repeated are named here.
#include "apps/cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "actio/base/option_naming.hpp"

namespace actio::cli {

namespace {

// What stands before the `=` of an assignment.
bool is_assignment(std::string_view word) {
  const std::size_t end = word.find('=');
  if (end == std::string_view::npos || end == 0) return false;
  const auto belongs_to_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 0x80; };
  return std::ranges::all_of(word.substr(0, end), belongs_to_name);
}

class word_reader {
 public:
  word_reader(const command& command, std::span<const std::string_view> words)
      : command_(command), place_{"actio " + std::string(command.name), 0, 0}, words_(words) {}

  command_input read() {
    while (!words_.empty()) {
      const std::string_view word = next();
      if (word == "--") {
        while (!words_.empty()) add_argument(next());
      } else if (word == "-h" || word == "--help") {
        input_.wants_help = true;
      } else if (word.size() > 1 && word.starts_with('-')) {
        read_option(word);
      } else {
        add_argument(word);
      }
    }
    if (!input_.wants_help) require_argument();
    return std::move(input_);
  }

 private:
  std::string_view next() {
    const std::string_view word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  void read_option(std::string_view word) {
    const std::size_t equals = word.find('=');
    const option_descriptor& option = option_named(word.substr(0, equals));
    if (option.type == option_type::flag) {
      if (equals != std::string_view::npos) {
        throw input_error("unknown-option-value", fmt::format("'--{}' takes no value", option.name), place_,
                          fmt::format("write --{} alone", option.name));
      }
      input_.options.set(option.name, typed_option(option.name, "true"));
    } else {
      set(option, equals != std::string_view::npos ? word.substr(equals + 1) : value_of(option));
    }
  }

  const option_descriptor& option_named(std::string_view flag) const {
    std::vector<std::string> known = {"--help"};
    for (const option_descriptor* option : options_of(command_.name)) {
      known.push_back("--" + std::string(option->name));
      if (flag == known.back()) return *option;
    }
    throw input_error("unknown-command-option", fmt::format("unknown option '{}'", flag), place_, suggest(flag, known));
  }

  std::string_view value_of(const option_descriptor& option) {
    if (!words_.empty() && !words_.front().starts_with("--")) return next();
    if (option.name == "device") return list_of_devices;
    throw input_error("missing-argument", fmt::format("the option '--{}' has no value", option.name), place_,
                      fmt::format("write --{} {}", option.name, option.metavar));
  }

  void set(const option_descriptor& option, std::string_view value) {
    if (option.type == option_type::assignment) {
      std::vector<source_text>& list = option.name == "sweep"    ? input_.sweeps
                                       : option.name == "sample" ? input_.samples
                                                                 : input_.assignments;
      list.push_back(typed_option(option.name, value));
      // `--set a=1 b=2` is as good as `--set a=1 --set b=2`.
      while (!words_.empty() && is_assignment(words_.front())) list.push_back(typed_option(option.name, next()));
      return;
    }
    if (input_.options.has(option.name)) {
      throw input_error("conflicting-options", fmt::format("the option '--{}' is given twice", option.name), place_,
                        "give it once");
    }
    input_.options.set(option.name, typed_option(option.name, value));
  }

  void add_argument(std::string_view word) {
    const bool has_room = !command_.argument.empty() && (command_.repeated || input_.arguments.empty());
    if (!has_room) {
      const std::string takes = command_.argument.empty() ? "no argument" : fmt::format("one {}", command_.argument);
      throw input_error("unknown-command-option", fmt::format("unexpected argument '{}'", word), place_,
                        fmt::format("'{}' takes {}", place_.file, takes));
    }
    const std::string role = "argument " + std::string(command_.argument);
    input_.arguments.push_back({std::string(word), {role, 0, 0}, role});
  }

  void require_argument() const {
    const bool is_optional = command_.argument.empty() || command_.argument.starts_with('[');
    const bool asks_for_devices =
        input_.options.has("device") && input_.options.find("device")->text == list_of_devices;
    if (is_optional || !input_.arguments.empty() || asks_for_devices) return;
    throw input_error(
        "missing-argument", fmt::format("{} is missing", command_.argument), place_,
        fmt::format("write '{} {}'; 'actio {} --help' says more", place_.file, command_.argument, command_.name));
  }

  const command& command_;
  const source_place place_;
  std::span<const std::string_view> words_;
  command_input input_;
};

// Lines of at most 100 characters; all but the first begin in column `indent`.
std::string wrapped(std::string_view text, std::size_t indent) {
  constexpr std::size_t width = 100;
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string described(const option_descriptor& option) {
  std::string text = named_options(option.sentence);
  if (!option.default_value.empty()) text += fmt::format(" Default: {}.", option.default_value);
  if (option.in_model) text += " Also a key of [run].";
  return text;
}

}  // namespace

std::string shell_word(std::string_view word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

command_input parse_words(const command& command, std::span<const std::string_view> words) {
  return word_reader(command, words).read();
}

void require_only(const command_input& input, std::span<const std::string_view> allowed) {
  std::string other;
  for (const auto& [name, value] : input.options.all()) {
    if (std::ranges::find(allowed, name) == allowed.end()) other = name;
  }
  if (!input.assignments.empty()) other = "set";
  if (!input.sweeps.empty()) other = "sweep";
  if (!input.samples.empty()) other = "sample";
  if (other.empty()) return;
  throw input_error("conflicting-options", fmt::format("--again repeats what the file says, without '--{}'", other),
                    {"--" + other, 0, 0}, "leave one of the two out");
}

std::string help_text(const command& command) {
  constexpr std::size_t indent = 28;
  const auto options = options_of(command.name);
  std::string text =
      fmt::format("{}\n\nUsage: actio {}{}{}{}{}\n", command.summary, command.name, command.argument.empty() ? "" : " ",
                  command.argument, command.repeated ? " ..." : "", options.empty() ? "" : " [OPTIONS]");
  if (command.argument == "MODEL") text += "\nMODEL is a file or the name of a built-in problem.\n";
  if (!options.empty()) text += "\nOptions:\n";
  for (const option_descriptor* option : options) {
    text += fmt::format("  {:<{}}{}\n", fmt::format("--{} {}", option->name, option->metavar), indent - 2,
                        wrapped(described(*option), indent));
  }
  return text;
}

std::string help_text(const std::vector<command>& commands) {
  std::string text =
      "actio turns a Lagrangian into a trustworthy simulation.\n\n"
      "Usage: actio COMMAND [ARGUMENTS] [OPTIONS]\n\nCommands:\n";
  for (const command& c : commands) {
    text +=
        fmt::format("  {:<26}{}\n", fmt::format("{} {}{}", c.name, c.argument, c.repeated ? " ..." : ""), c.summary);
  }
  return text +
         "\n'actio COMMAND --help' lists the options of a command; 'actio --version' tells the version.\n"
         "A first run: actio run double-pendulum\n";
}

}  // namespace actio::cli
