// What every fuzz target shares. A target feeds arbitrary bytes to one reader of actio. Being refused with an
// input_error is what bad input deserves; every other exception, failed assertion or sanitizer report is a finding.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "actio/base/error.hpp"

namespace actio::fuzz {

// Longest time that one input may take, in seconds of the processor: a busy machine must not look like a hang.
inline constexpr double patience = 5;

// Reports a broken promise together with what shows it.
inline void require(bool promise, const char* what, const std::string& shown = {}) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n%s\n", what, shown.c_str());
  std::abort();
}

// More than a few numbers such as 1e-9999: reading each costs Boost tens of milliseconds (docs/audit.md).
inline bool has_many_huge_numbers(std::string_view text) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find_first_of("eE", at)) != std::string_view::npos; ++at) {
    const std::string_view rest = text.substr(at + 1, 5);
    found += std::count_if(rest.begin(), rest.end(), [](char c) { return c >= '0' && c <= '9'; }) >= 4;
  }
  return found > 2;
}

// Runs `action`, which may refuse its input.
template <class Action>
void attempt(Action&& action) {
  const std::clock_t start = std::clock();
  try {
    action();
  } catch (const input_error&) {
  }
  require(static_cast<double>(std::clock() - start) <= patience * CLOCKS_PER_SEC, "inputs are read within seconds");
}

}  // namespace actio::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
