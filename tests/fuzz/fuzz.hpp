// What every fuzz target shares. A target feeds arbitrary bytes to one reader of actio. Being refused with an
// input_error is what bad input deserves; every other exception, failed assertion or sanitizer report is a finding.
#pragma once

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
