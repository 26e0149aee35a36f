// One value a coordinate, as a model gives them: one by one, or by keys with ranges for very many at a time.
//
// What a range gives is kept as one expression over its indices. It is evaluated for all of them at once (`values`),
// and written out where somebody asks for values one by one.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// Values that a key with ranges gives: those of the elements of a family without coordinates, whose targets are
// coordinates.
struct ranged_values {
  std::shared_ptr<const element_family> family;
  source_place place;
};

class initial_values {
 public:
  initial_values() = default;
  initial_values(std::vector<named_expr> values) : written_(std::move(values)) {}  // NOLINT: they are what they are
  // Zero but for these. Those of `single` have the numbers of their coordinates; `parameters` are those of the system
  // where ranges have values among them.
  initial_values(std::vector<expr> coordinates, std::vector<std::pair<std::uint32_t, named_expr>> single,
                 std::vector<ranged_values> ranges, std::vector<expr> parameters);

  std::size_t size() const { return ranged_ ? ranged_->coordinates.size() : written_.size(); }
  bool empty() const { return size() == 0; }

  // One value a coordinate, with the parameters of the system. Throws bad-number where a range gives what is not
  // finite.
  template <class S>
  std::vector<S> values(const lagrangian_system& system) const;

  // One expression a coordinate.
  const std::vector<named_expr>& written_out() const;
  std::vector<named_expr>& written_out();
  operator const std::vector<named_expr>&() const { return written_out(); }  // NOLINT: the same thing

  const named_expr& operator[](std::size_t i) const { return written_out()[i]; }
  named_expr& operator[](std::size_t i) { return written_out()[i]; }
  const named_expr& front() const { return written_out().front(); }
  named_expr& front() { return written_out().front(); }
  auto begin() const { return written_out().begin(); }
  auto end() const { return written_out().end(); }
  auto begin() { return written_out().begin(); }
  auto end() { return written_out().end(); }
  void push_back(named_expr value) { written_out().push_back(std::move(value)); }

 private:
  struct ranged {
    std::vector<expr> coordinates;
    std::vector<std::pair<std::uint32_t, named_expr>> single;
    std::vector<ranged_values> ranges;
    std::vector<expr> parameters;

    std::vector<named_expr> written_out() const;
  };
  std::shared_ptr<const ranged> ranged_;
  mutable std::vector<named_expr> written_;
};

}  // namespace actio
