// The tables and keys of model files in one list: readers check keys by it, `explain` and the reference of the language
// print it, and a test reads and runs its examples.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actio {

struct model_key {
  std::string_view name;  // NAME: any name that the model chooses
  std::string_view sentence;
};

struct model_table {
  std::string_view name;  // "" for what stands above all tables; "initial", "signals.NAME"
  std::string_view sentence;
  std::vector<model_key> keys;
  std::string_view example;  // a whole model
};

const std::vector<model_table>& model_tables();
// The table of this name, with or without what follows a dot; nullptr where there is none.
const model_table* find_model_table(std::string_view name);

// The keys that a table may have, but for chosen names; those of "" are the root keys, tables among them.
std::vector<std::string> keys_of_table(std::string_view name);

}  // namespace actio
