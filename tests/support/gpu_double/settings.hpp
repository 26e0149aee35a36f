// Tests that take the stand-in for a driver of GPUs in its place, with what it is to pretend.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <string>
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

struct gpu_variable {
  std::string name, value;
};

// As long as it lives, these variables are set (see cuda.cpp), and $ACTIO_CUDA_DRIVER names the stand-in.
class gpu_setting {
 public:
  gpu_setting() : gpu_setting(std::initializer_list<gpu_variable>()) {}
  gpu_setting(std::initializer_list<gpu_variable> more) : variables_{{"ACTIO_CUDA_DRIVER", gpu_double_path()}} {
    variables_.insert(variables_.end(), more.begin(), more.end());
    for (const auto& [name, value] : variables_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~gpu_setting() {
    for (const auto& [name, value] : variables_) unsetenv(name.c_str());
  }
  gpu_setting(const gpu_setting&) = delete;
  gpu_setting& operator=(const gpu_setting&) = delete;

 private:
  std::vector<gpu_variable> variables_;
};

}  // namespace actio::testing
