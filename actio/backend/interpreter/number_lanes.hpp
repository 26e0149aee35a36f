// Runs instructions on rows of quad or MPFR numbers, lane by lane and in place: arithmetic makes no temporaries.
#pragma once

#include <cstddef>
#include <span>

#include "actio/backend/interpreter/execute.hpp"
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
  template <class Function, class... Rows>
  void map(Function f, Rows... operands) {
    for (std::size_t i = 0; i < lanes_; ++i) first_[i] = f(operands.first_[i]...);
  }

 private:
  typename S::backend_type& at(std::size_t i) const { return first_[i].backend(); }

  S* first_;
  std::size_t lanes_;
};

// Registers of `code` are offsets into `rows`, as for doubles.
template <class S>
void run_lanes(std::size_t lanes, std::span<const instruction> code, S* rows) {
  for (const instruction& i : code) {
    execute(i.op, number_row<S>(rows + i.target, lanes), number_row<S>(rows + i.left, lanes),
            number_row<S>(rows + i.right, lanes));
  }
}

}  // namespace actio::interpreter
