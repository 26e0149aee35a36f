// Tests that take the stand-in for a driver of GPUs in its place, with what it is to pretend.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace actio::testing {

// The stand-in, or "" where the build has none.
inline std::string gpu_double_path() {
#ifdef ACTIO_GPU_DOUBLE
  return ACTIO_GPU_DOUBLE;
#else
  return "";
#endif
}

// As long as it lives, $ACTIO_CUDA_DRIVER names the stand-in (or `driver`), with these settings (see cuda.cpp).
class gpu_setting {
 public:
  explicit gpu_setting(std::vector<std::pair<std::string, std::string>> settings = {},
                       const std::string& driver = gpu_double_path())
      : settings_(std::move(settings)) {
    settings_.emplace_back("ACTIO_CUDA_DRIVER", driver);
    for (const auto& [name, value] : settings_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~gpu_setting() {
    for (const auto& [name, value] : settings_) unsetenv(name.c_str());
  }
  gpu_setting(const gpu_setting&) = delete;
  gpu_setting& operator=(const gpu_setting&) = delete;

 private:
  std::vector<std::pair<std::string, std::string>> settings_;
};

}  // namespace actio::testing
