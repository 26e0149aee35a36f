// Options are described once: the flag, the key in [run], the manual entry and the type follow from one line.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"

namespace actio {

enum class option_type { number, count, text, flag, path, assignment };

struct option_descriptor {
  std::string_view name;  // as on the command line without dashes: "step-sizes"
  option_type type;
  std::string_view default_value;  // "" when there is none
  std::string_view sentence;       // one sentence for the manual
  std::string_view commands;       // the subcommands that take it, separated by spaces
  bool in_model = false;           // also a key of [run] in a model file
  std::string_view metavar = "";   // shown in usage: "H", "FILE.csv"
};

// Every option of every command. The order is that of the manual.
const std::vector<option_descriptor>& option_catalogue();
const option_descriptor* find_option(std::string_view name);
std::vector<const option_descriptor*> options_of(std::string_view command);
std::vector<const option_descriptor*> options_in_model();

// Values as the user typed them, with the place of each, before they get a type.
class option_values {
 public:
  void set(std::string_view name, source_text value);
  bool has(std::string_view name) const;
  // The typed value, else the descriptor's default, else nothing.
  std::optional<source_text> find(std::string_view name) const;
  // Values of `over` win over ours.
  void override_with(const option_values& over);
  void erase(std::string_view name);
  const std::map<std::string, source_text, std::less<>>& all() const { return values_; }

 private:
  std::map<std::string, source_text, std::less<>> values_;
};

}  // namespace actio
