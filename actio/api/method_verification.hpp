// What methods declare beside what is measured, as one call.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "actio/analysis/verification.hpp"
#include "actio/base/option.hpp"

namespace actio {

struct method_verification_options {
  std::vector<source_text> methods;  // names; "all" is every method of the catalogue
  option_values given = {};          // `beta` and `gamma`, `threads`
  std::function<void(std::size_t done, std::size_t all)> progress = {};  // called by one thread at a time
  std::function<bool()> interrupted = {};  // asked by one thread at a time; true leaves out what is not done
};

struct method_verification_result {
  std::vector<verification_row> rows;
  std::size_t failed = 0;
  bool interrupted = false;  // rows of some methods are missing
  std::string text, json;
};

// Throws input_error: unknown-method, conflicting-options, bad-number, bad-count.
method_verification_result verify_methods(const method_verification_options& options);

}  // namespace actio
