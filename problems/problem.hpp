// The built-in problems: a model text each, where it comes from, and its exact solution where there is one.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "actio/analysis/exact_motion.hpp"
#include "actio/base/scalar.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

// The same answer, without its motion where that is not even finite at the start.
template <class S>
exact_answer<S> finite_answer(exact_answer<S> answer) {
  if (!answer.motion) return answer;
  const exact_point<S> start = answer.motion(S(0));
  const auto finite = [](const S& x) { return is_finite(x); };
  if (std::ranges::all_of(start.position, finite) && std::ranges::all_of(start.momentum, finite)) return answer;
  return {.obstacle = "its formula has no finite value for these parameters"};
}

// From a generic lambda `[]<class S>(const model&) -> exact_answer<S>`. In double it is evaluated in quad and rounded,
// so that its own rounding never counts as the error of a method.
template <class Make>
exact_solution exact_for_every_scalar(Make make) {
  const auto rounded = [make](const model& m) -> exact_answer<double> {
    const exact_answer<quad> wide = finite_answer<quad>(make.template operator()<quad>(m));
    exact_answer<double> answer{.repeats = wide.repeats, .obstacle = wide.obstacle};
    if (wide.period) answer.period = to_double(*wide.period);
    if (!wide.motion) return answer;
    answer.motion = [motion = wide.motion](const double& t) {
      const exact_point<quad> point = motion(quad(t));
      exact_point<double> result;
      for (const quad& q : point.position) result.position.push_back(to_double(q));
      for (const quad& p : point.momentum) result.momentum.push_back(to_double(p));
      return result;
    };
    return answer;
  };
  return {rounded, [make](const model& m) { return finite_answer<quad>(make.template operator()<quad>(m)); },
          [make](const model& m) { return finite_answer<multi>(make.template operator()<multi>(m)); }};
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

// What is known exactly about the motion of a model that load_model gave, whose parameters may have changed since.
// Where nothing is, the obstacle says so and names the problems whose motion is known.
template <class S>
exact_answer<S> exact_answer_of(std::string_view name_or_path, const model& m);
// The same for every scalar.
exact_solution exact_solution_of(std::string_view name_or_path);

}  // namespace actio
