// Extrapolation of symmetric rules [hairer1993, II.9]: order and length of each step are chosen so that its error stays
// below the accuracy that was asked for. Not symplectic, not reversible: for motions that are short and uneven.
//
// With k rows (extrapolation_rows.hpp) the step ends at T_k = Σ w_j y_j, of order 2k; its error is measured by
// e_k = T_k − Σ_{j>1} w'_j y_j, the same without the first row, which is of order 2k − 2. A step is accepted where, for
// every component, |e_k| is below s · accuracy/32 of the component's swing so far: s is how far the step goes, as a
// part of such swings. So a motion gathers an error below the accuracy on a way of some swings, whatever the units and
// the origin of coordinates are. Lengths H_k that would just do follow from e_k and e_{k−1}, and the order that is best
// by calls of the field for a unit of time, a_k/H_k, is taken next.
//
// Where nothing happens errors say nothing of what may be met on the way: after a step whose error is far below what it
// is allowed none is longer than a sixteenth of the time to the end, and such a step is looked at in between, by
// steps of the same order to some places inside, so that hardly anything wider than a thousandth part of that time is
// leapt over.
//
// Without an accuracy steps have the length that the context gives, and k = 2 rows: order 4.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/extrapolation_rows.hpp"
#include "actio/integrate/leap_guard.hpp"
#include "actio/integrate/step_memory.hpp"

namespace actio {

// Of accuracies below this nothing is left in steps: what each may be off by is a few units of rounding.
template <class S>
double least_chosen_accuracy() {
  return 512 * to_double(epsilon<S>());
}

template <class S>
class extrapolation_step final : public remembering_step<S> {
 public:
  static constexpr std::size_t usual_rows = 2;  // where steps have a given length

  explicit extrapolation_step(const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  bool chooses_steps() const override { return accuracy_ > 0; }
  void end_at(const S& time) override {
    if (end_ && *end_ != time) control_.span = S(-1);
    end_ = time;
  }
  bool takes_any_length() const override { return !chooses_steps(); }
  void set_step(const S& step) override { given_step_ = step; }
  S work() const override { return work_; }
  // A step of the same order to the point asked for: as accurate as the step itself.
  void interpolate(const S& fraction, std::span<S> position) override;
  // With the length and the order that the step from `state` would have, held fixed.
  matrix<S> tangent_map(const phase_state<S>& state) override;

 private:
  void remember(step_memory<S>& memory) override;
  // What earlier steps taught.
  struct control {
    S length{0};   // of the next step, without a sign; 0: to be found
    S longest{0};  // so far
    S span{0};     // of time, to the only end; negative where steps have ended before
    std::size_t rows = usual_rows;
    bool grows = true;   // the last step was not rejected before
    bool begun = false;  // swings are known
    S looks{0};          // that are left for what a step may leap over (leap_guard.hpp)
    std::vector<S> lowest, highest;
  };
  // Errors of k and k − 1 rows over what is allowed; at most 1 where the step is accepted.
  struct errors {
    double with_all = 0, with_less = 0;
    double relative = 0;  // of k rows, to the swings and to how far the step goes
    double plain = 0;     // of k rows, to all that the motion reaches and does in a usual step
  };
  struct weights {
    std::vector<S> end, error;  // of T_k and e_k, by rows
    double size = 0;            // Σ |w_j|: by so much rounding grows
  };

  control first_control() const;
  void load(const phase_state<S>& state);
  S remaining(const phase_state<S>& state) const;
  S direction(const phase_state<S>& state) const;
  S next_length(const phase_state<S>& state, bool& reaches_end);
  bool extrapolate(const S& length, std::size_t rows, std::span<const S> branch);
  void combine(std::span<const S> by_rows, std::span<S> sum) const;
  void look_at_error(std::size_t rows, double allowed, double& ratio);
  void measure_scales();
  errors measure();
  step_status settle(const phase_state<S>& state);
  bool is_rounding(const errors& found) const;
  bool passes_kink(const errors& found, const S& time);
  bool leaps(const errors& found, std::span<const S> branch);
  double clear_part();
  void shrink(const errors& found);
  void learn(const errors& found);
  double stretch(double ratio, std::size_t rows) const;
  double cost(std::size_t rows, double stretch) const;
  step_status failure(bool is_finite, const errors& found) const;
  matrix<S> row_tangent(std::size_t row, std::span<const S> branch);

  S given_step_;
  double accuracy_, tolerance_;  // what is asked for, and what that leaves to each step
  double slack_;                 // part of a number that an error of rounding may be
  bool is_smooth_;
  int kinks_in_a_row_ = 0;  // steps over kinks
  S last_kink_{0};          // its time
  std::size_t n_, momenta_, size_, most_rows_ = usual_rows;
  extrapolation_rows<S> rows_;
  std::vector<weights> weights_;  // by the number of rows
  branch_keeper<S> branch_;
  std::optional<leap_guard<S>> guard_;
  std::unique_ptr<vector_field<S>> field_;  // for tangent maps, made when first asked for
  control control_;
  std::optional<S> end_;
  S time_{0}, length_{0}, work_{0};  // of the last step
  std::size_t count_ = usual_rows;   // its rows
  bool reaches_end_ = false, is_shortened_ = false;
  std::vector<S> left_, increment_, difference_, inside_, velocity_, kept_;
  std::vector<double> scale_, allowed_;  // swings, and what the step may be off by
};

}  // namespace actio
