// A motion known in closed form, as a function of time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace actio {

template <class S>
struct exact_point {
  std::vector<S> position, momentum;
};

// The motion that starts from a model's initial data at t = 0.
template <class S>
using exact_motion = std::function<exact_point<S>(const S& t)>;

// The answer to "what is the exact motion?": the motion and the period of what repeats in it, or why there is none.
template <class S>
struct exact_answer {
  exact_motion<S> motion = {};
  std::optional<S> period = {};
  std::string repeats = {};   // what the period is that of: "nutation"
  std::string obstacle = {};  // why there is no motion: "the orbit is not an ellipse"
};

}  // namespace actio
