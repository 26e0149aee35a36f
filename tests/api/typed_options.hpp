// Options as somebody might have typed them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "actio/base/option.hpp"

namespace actio::testing {

inline option_values typed_options(const std::vector<std::pair<std::string, std::string>>& options) {
  option_values result;
  for (const auto& [name, value] : options) result.set(name, {value, {"--" + name, 0, 0}, name});
  return result;
}

inline source_text typed(const std::string& text) { return {text, {}, "argument"}; }

}  // namespace actio::testing
