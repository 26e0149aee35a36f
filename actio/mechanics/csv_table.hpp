// Files of comma-separated values beside a model.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/scalar.hpp"
#include "actio/mechanics/model_file.hpp"

namespace actio {

// The file that a model names, in its own folder or below. Throws path-outside.
std::string path_beside(const file_value& named, const std::string& model);
// Its bytes; errors have the place where it is named.
std::string contents_of(const std::string& path, const source_place& place);

// A field of a line, without blanks and quotes around it, and where it stands.
struct csv_field {
  std::string_view text;
  source_place place;
};

// All lines but those that are empty or begin with #.
void for_each_csv_line(std::string_view text, const std::string& file,
                       const std::function<void(const std::vector<csv_field>&)>& use);

// Throws bad-number.
rational csv_number(std::string_view text, const source_place& place);

// The first line names the columns. Throws table-column, bad-number.
struct csv_contents {
  std::vector<std::string> columns;
  std::vector<std::vector<rational>> rows;
};
csv_contents read_csv(const std::string& file, std::string_view text);

}  // namespace actio
