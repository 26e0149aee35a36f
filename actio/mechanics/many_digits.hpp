// Tests of identities with more digits than quad has. Internal to mechanics/.
#pragma once

#include <mutex>

#include "actio/base/scalar.hpp"

namespace actio {

// The digits of `multi` while it lives. They are a property of the process: tests in several threads must not change
// them under one another.
class many_digits {
 public:
  explicit many_digits(unsigned digits) : lock_(mutex()), scope_(digits) {}

 private:
  static std::mutex& mutex() {
    static std::mutex& one = *new std::mutex;
    return one;
  }

  std::lock_guard<std::mutex> lock_;
  precision_scope scope_;
};

}  // namespace actio
