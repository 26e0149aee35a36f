// The command line as it was typed: which command, its arguments, its options. Nothing has a type yet.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/option.hpp"

namespace actio::cli {

// What --device stands for without a value; it needs no other argument.
inline constexpr std::string_view list_of_devices = "list";

struct command_input {
  std::vector<source_text> arguments;
  option_values options;
  std::vector<source_text> assignments;      // of --set, which may be repeated
  std::vector<source_text> sweeps, samples;  // of --sweep and --sample, likewise
  bool wants_help = false;
  std::string typed;  // the whole command, as it can be typed again

  bool has_flag(std::string_view name) const { return options.has(name); }
};

struct command {
  std::string_view name;
  std::string_view argument;  // what its argument is called: "MODEL", "[MODEL]" where it may be left out, or ""
  bool repeated;              // whether several of them may be given
  std::string_view summary;
  int (*execute)(const command_input&);
};

// The words behind the name of the command. Flags come from the option descriptors, `--name value` or `--name=value`;
// `--` ends them. Throws unknown-command-option, unknown-option-value, missing-argument, conflicting-options.
command_input parse_words(const command& command, std::span<const std::string_view> words);

// For --again, which repeats what a file says: throws conflicting-options where options other than `allowed` are given.
void require_only(const command_input& input, std::span<const std::string_view> allowed);

// A word as a shell takes it.
std::string shell_word(std::string_view word);

// The manual of a command, and of the program.
std::string help_text(const command& command);
std::string help_text(const std::vector<command>& commands);

}  // namespace actio::cli
