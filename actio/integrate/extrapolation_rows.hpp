// What an extrapolation starts from: the motion over one length H by a symmetric rule with n_1 < n_2 < … equal parts.
//
// y' = f(t, y) by the midpoint rule, n_j = 2j, y_{m+1} = y_{m−1} + 2h f(y_m) after y_1 = y_0 + h f(y_0)   [gragg1965]
// q'' = M⁻¹ F(q, t) by Störmer's, n_j = j, as kicks p ← p + h F(q) between drifts q ← q + h M⁻¹ p, half a kick at
// either end: an evaluation a part, not two.
//
// Rows do not wait for one another: in double eight of them are done at once, in the lanes of one program that does a
// part of the rule. Numbers are increments over the start of the step, so that only these are rounded.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/backend/bound_parameters.hpp"
#include "actio/mechanics/vector_field.hpp"

namespace actio {

// Hamilton's equations of a Lagrangian system in y = (q, p), or the equations of a system of first order.
template <class S>
std::unique_ptr<vector_field<S>> first_order_form(const phase_space<S>& space);

// Mutable; nothing is allocated after construction.
template <class S>
class extrapolation_rows {
 public:
  extrapolation_rows(const phase_space<S>& space, std::size_t most_rows);

  std::size_t size() const { return size_; }  // of y
  bool is_leapfrog() const { return leapfrog_; }
  std::size_t parts(std::size_t row) const { return leapfrog_ ? row + 1 : 2 * (row + 1); }
  // How many times the field is waited for where rows 0 … count − 1 are computed.
  std::size_t calls(std::size_t count) const { return plans_[count].calls; }

  // Computes rows 0 … count − 1 from y at time t. Where several velocities belong to a momentum, `branch` is that at
  // the start. What f does not give is NaN.
  void compute(const S& t, std::span<const S> y, const S& length, std::size_t count, std::span<const S> branch = {});
  // By how much y changes according to a row, then the energy that was supplied.
  std::span<const S> row(std::size_t j) const { return std::span(rows_).subspan(j * (size_ + 1), size_ + 1); }
  // Of the last computation: a velocity could not be found because its branch ends.
  bool branch_ended() const { return branch_ended_; }

 private:
  enum class turn { finish, start, go_on, end, rest };
  struct event {  // before a call
    std::size_t call, lane, row;
    turn what;
  };
  struct plan {
    std::size_t calls = 0;
    std::vector<event> events;
  };

  plan plan_for(std::size_t count) const;
  void add_row(plan& p, std::size_t row, std::size_t lane, std::size_t begin) const;
  void take_turn(const event& e, const S& length);
  void call(std::span<const S> branch);
  void evaluate_field(std::span<const S> branch);
  S& in(std::size_t variable, std::size_t lane) { return in_[variable * stride_ + lane]; }
  // Where variables of the program begin: the start y, increments now, those one part before, time and lengths.
  std::size_t now() const { return size_; }
  std::size_t before() const { return 2 * size_ + 1; }
  std::size_t time() const { return leapfrog_ ? 2 * size_ + 1 : 3 * size_ + 2; }

  std::size_t size_, lanes_ = 1, stride_ = 1;
  bool leapfrog_ = false, reads_time_ = true, branch_ended_ = false;
  std::optional<bound_evaluation<S>> program_;
  std::unique_ptr<vector_field<S>> field_;  // where there is no program
  std::vector<plan> plans_;                 // by the number of rows
  std::vector<S> in_, out_, rows_, part_, argument_, rate_;
  S begin_{0};
  std::vector<std::size_t> done_;  // parts of the row in a lane
};

}  // namespace actio
