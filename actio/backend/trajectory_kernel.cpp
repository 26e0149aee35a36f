#include "actio/backend/trajectory_kernel.hpp"

#include "actio/backend/elementary/functions.hpp"
#include "actio/backend/kernel/neighbour_text.hpp"

namespace actio {

namespace {

using kernel::number_builder;

double called(operation op, double x, double y) {
  return operand_count(op) == 1 ? elementary::value_of(op, x) : elementary::value_of(op, x, y);
}

template <class F>
void for_neighbours(trajectory_kernel& kernel, std::size_t own, F&& f) {
  number_builder b(called);
  kernel::neighbour_text<number_builder> text(b, kernel.rows());
  const auto rows = [&](std::size_t lane) { return number_builder::rows(kernel.row(0) + lane, kernel.lanes()); };
  for (std::size_t l = 0; l < own; ++l) {
    text.look_at(rows(l), rows(l + own));
    f(text);
  }
}

}  // namespace

void trajectory_kernel::start_beside(std::size_t own) {
  for_neighbours(*this, own, [](auto& text) { text.start(); });
}

void trajectory_kernel::run_beside(std::size_t first, std::size_t end, std::size_t own) {
  for (std::size_t k = first; k < end; ++k) {
    run(k, k + 1);
    for_neighbours(*this, own, [&](auto& text) { text.add(static_cast<double>(k)); });
    accept_changes();
  }
}

}  // namespace actio
