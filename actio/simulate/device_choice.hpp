// Where the trajectories of an ensemble move, as it is typed.
#pragma once

#include <string>
#include <vector>

#include "actio/base/error.hpp"

namespace actio {

struct device_choice {
  bool uses_gpus = false;
  std::vector<int> numbers = {};  // of the GPUs; all that there are where none is named
  source_place place = {"@device", 0, 0};
};

// "cpu", "gpu", "gpu:1", "gpu:0,2". Throws unknown-option-value.
device_choice device_from(const source_text& typed);

// Numbers of the GPUs that are not too old. Throws gpu-unavailable where there is no driver.
std::vector<int> usable_gpus();

// What there is to choose from, a line each; why there is no GPU where there is none.
std::string device_list();

}  // namespace actio
