// A motion known in closed form, as a function of time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actio/base/scalar.hpp"
#include "actio/mechanics/model.hpp"

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

// Answers for a model, with its parameters as they are set, what its exact motion is, at one scalar.
struct exact_solution {
  std::function<exact_answer<double>(const model&)> in_double;
  std::function<exact_answer<quad>(const model&)> in_quad;
  std::function<exact_answer<multi>(const model&)> in_multi;

  explicit operator bool() const { return static_cast<bool>(in_double); }
  template <class S>
  exact_answer<S> answer(const model& m) const {
    if constexpr (std::same_as<S, double>) return in_double(m);
    else if constexpr (std::same_as<S, quad>) return in_quad(m);
    else return in_multi(m);
  }
  template <class S>
  exact_motion<S> of(const model& m) const {
    return answer<S>(m).motion;
  }
};

}  // namespace actio
