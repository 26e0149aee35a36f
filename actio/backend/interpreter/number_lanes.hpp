// Runs instructions on rows of quad or MPFR numbers, lane by lane and in place: arithmetic makes no temporaries.
#pragma once

#include <cstddef>
#include <span>

#include "actio/backend/interpreter/execute.hpp"
#include "actio/backend/interpreter/number_functions.hpp"
#include "actio/base/scalar.hpp"

namespace actio::interpreter {

template <class S>
class number_row {
 public:
  number_row(S* first, std::size_t lanes) : first_(first), lanes_(lanes) {}

  void negate(number_row a) {
    for (std::size_t i = 0; i < lanes_; ++i) {
      if (first_ != a.first_) first_[i].backend() = a.first_[i].backend();
      first_[i].backend().negate();
    }
  }
  void add(number_row a, number_row b) {
    for (std::size_t i = 0; i < lanes_; ++i) eval_add(at(i), a.at(i), b.at(i));
  }
  void subtract(number_row a, number_row b) {
    for (std::size_t i = 0; i < lanes_; ++i) eval_subtract(at(i), a.at(i), b.at(i));
  }
  void multiply(number_row a, number_row b) {
    for (std::size_t i = 0; i < lanes_; ++i) eval_multiply(at(i), a.at(i), b.at(i));
  }
  void divide(number_row a, number_row b) {
    for (std::size_t i = 0; i < lanes_; ++i) eval_divide(at(i), a.at(i), b.at(i));
  }
  template <operation Op, class Function, class... Rows>
  void map(Function f, Rows... operands) {
    for (std::size_t i = 0; i < lanes_; ++i) assign<Op>(first_[i], f, operands.first_[i]...);
  }
  // Sines go here, cosines to the other row.
  void sine_and_cosine(number_row cosines, number_row a) {
    for (std::size_t i = 0; i < lanes_; ++i) assign_both(first_[i], cosines.first_[i], a.first_[i]);
  }

 private:
  typename S::backend_type& at(std::size_t i) const { return first_[i].backend(); }

  S* first_;
  std::size_t lanes_;
};

// Whether the instruction, a sine or a cosine, also assigns the other one of the two to register `right`.
inline bool makes_both(const instruction& i) {
  return (i.op == operation::sin || i.op == operation::cos) && i.right != i.left;
}

// Registers of `code` are offsets into `rows`, as for doubles.
template <class S>
void run_lanes(std::size_t lanes, std::span<const instruction> code, S* rows) {
  for (const instruction& i : code) {
    number_row<S> target(rows + i.target, lanes), left(rows + i.left, lanes), right(rows + i.right, lanes);
    if (!makes_both(i)) execute(i.op, target, left, right);
    else if (i.op == operation::sin) target.sine_and_cosine(right, left);
    else right.sine_and_cosine(target, left);
  }
}

}  // namespace actio::interpreter
