// The built-in problems: a model text each, where it comes from, and its exact solution where there is one.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "actio/analysis/exact_motion.hpp"
#include "actio/base/scalar.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

// Builds the exact motion of a model (with its parameters as they are set) at one scalar.
struct exact_solution {
  std::function<exact_motion<double>(const model&)> in_double;
  std::function<exact_motion<quad>(const model&)> in_quad;
  std::function<exact_motion<multi>(const model&)> in_multi;

  explicit operator bool() const { return static_cast<bool>(in_double); }
  template <class S>
  exact_motion<S> of(const model& m) const {
    if constexpr (std::same_as<S, double>) return in_double(m);
    else if constexpr (std::same_as<S, quad>) return in_quad(m);
    else return in_multi(m);
  }
};

// From a generic lambda `[]<class S>(const model&) -> exact_motion<S>`. In double it is evaluated in quad and rounded,
// so that its own rounding never counts as the error of a method.
template <class Make>
exact_solution exact_for_every_scalar(Make make) {
  const auto rounded = [make](const model& m) -> exact_motion<double> {
    return [wide = make.template operator()<quad>(m)](const double& t) {
      const exact_point<quad> point = wide(quad(t));
      exact_point<double> result;
      for (const quad& q : point.position) result.position.push_back(to_double(q));
      for (const quad& p : point.momentum) result.momentum.push_back(to_double(p));
      return result;
    };
  };
  return {rounded, [make](const model& m) { return make.template operator()<quad>(m); },
          [make](const model& m) { return make.template operator()<multi>(m); }};
}

struct problem {
  std::string_view name;     // "lagrange-top"
  std::string_view summary;  // one line
  std::string_view source;   // where data and equations come from
  std::string_view text;     // the model file
  exact_solution exact;      // may be empty
};

const std::vector<problem>& problem_catalogue();
const problem* find_problem(std::string_view name);

// The model of a built-in problem or of a file: what MODEL means on the command line.
// Throws what read_model throws, and unknown-problem with a suggestion when it looks like a misspelt problem name.
model load_model(std::string_view name_or_path);

}  // namespace actio
