// What every fuzz target shares. A target feeds arbitrary bytes to one reader of actio. Being refused with an
// input_error is what bad input deserves; every other exception, failed assertion or sanitizer report is a finding.
// `make fuzz` searches for findings with libFuzzer; replay_test.cpp hands the kept inputs to the same entry functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <stdexcept>
#include <string>
#include <string_view>

#include "actio/base/error.hpp"

namespace actio::fuzz {

// Longest time that one input may take, in seconds of the processor: a busy machine must not look like a hang. Tests,
// which never check a time, set it to infinity.
inline double patience = 5;

// A promise of a target that did not hold; nothing catches it where libFuzzer runs.
struct broken_promise : std::logic_error {
  using std::logic_error::logic_error;
};

// Reports a broken promise together with what shows it.
inline void require(bool promise, const std::string& what, const std::string& shown = {}) {
  if (!promise) throw broken_promise("broken promise: " + what + "\n" + shown);
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

// The one name that libFuzzer calls; tests compile every target with a name of its own in its place.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
