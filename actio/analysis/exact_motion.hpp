// A motion known in closed form, as a function of time.
#pragma once

#include <functional>
#include <vector>

namespace actio {

template <class S>
struct exact_point {
  std::vector<S> position, momentum;
};

// The motion that starts from a model's initial data at t = 0.
template <class S>
using exact_motion = std::function<exact_point<S>(const S& t)>;

}  // namespace actio
