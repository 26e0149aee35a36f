// actio's methods through its public interface, from the text of a model.
#pragma once

#include "actio/mechanics/model.hpp"
#include "common/contest.hpp"

namespace actio::bench {

// Takes equally many steps to `until` (an expression in the model's parameters) as the setting says.
competitor actio_method(const model& m, std::string method, std::string until, std::vector<double> step_counts);

// The method that chooses its steps, to `until`; settings are accuracies.
competitor actio_adaptive(const model& m, std::string until, std::vector<double> accuracies);

// The end with 40 digits by the same method with two accuracies; the error is that of the first `components` numbers of
// (q, p).
reference_answer many_digit_reference(const model& m, const std::string& until, std::size_t components);

// The end at quad precision by two numbers of steps; positions and momenta. `largest` of their differences.
struct quad_end {
  std::vector<quad> end;
  double uncertainty = 0;
};
quad_end quad_reference(const model& m, const std::string& method, const std::string& until, std::size_t steps,
                        std::size_t more_steps);

// The error of an attempt's first `components` numbers: the largest difference.
std::function<double(const attempt&)> largest_error(std::vector<quad> exact, std::size_t components);

}  // namespace actio::bench
