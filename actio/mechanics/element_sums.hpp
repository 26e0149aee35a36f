// Sums over the elements of families, at several points at once.
//
// Arrays are rows of `points` numbers: coordinate i at point l stands at q[i * points + l], and so do all arrays that
// sums go to. Elements are evaluated in vectors; where tables move evenly they are read and written where they stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "actio/backend/bound_parameters.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/sweep_order.hpp"

namespace actio {

// Where an output of an element goes: into row 0 of an array, the row of its slot `number`, the row of its target, or
// the row that column `number` of a table says.
enum class element_place : std::uint8_t { whole, slot, target, listed };

struct element_output {
  expr value;  // in the symbols of the family's body
  std::uint32_t array;
  element_place place;
  std::uint32_t number = 0;
  bool subtract = false;
};

// What is asked of a family.
struct element_request {
  const element_family* family;
  std::vector<element_output> outputs;
  std::vector<std::vector<std::uint32_t>> listed = {};  // columns: one row number an element
};

// Where sums are taken, and where they are added to.
template <class S>
struct element_arrays {
  const S *position, *velocity, *time;  // time: one a point
  std::span<S* const> sums;
};

// Programs of requests, compiled once; parameters are those of the system, by their symbols.
template <class S>
class element_code;

// Mutable; families must outlive it. Sums into `whole` are compensated.
template <class S>
class element_sums {
 public:
  element_sums(std::shared_ptr<const element_code<S>> code, std::size_t points, shared_parameters<S> parameters);
  ~element_sums();
  element_sums(element_sums&&) noexcept;

  std::size_t points() const { return points_; }
  // Adds every output to its place; rows that nothing is added to stay as they are.
  void add(const element_arrays<S>& at);
  // The same at one point in the order of a sweep, in which positions need to be known once their tile was opened, and
  // rows that are indexed by coordinates are complete when it is closed. Whether the visitor let it go on to the end.
  bool sweep(const element_arrays<S>& at, std::span<const sweep_move> order, sweep_visitor& visitor);

 private:
  struct part;
  void take_parameters();
  std::size_t points_;
  std::shared_ptr<const element_code<S>> code_;
  std::vector<std::unique_ptr<part>> parts_;
  shared_parameters<S> parameters_;
  std::uint64_t revision_ = 0;
};

template <class S>
std::shared_ptr<const element_code<S>> compile_elements(std::vector<element_request> requests,
                                                        const lagrangian_system& system);
// For `sweep`, where there is one number a coordinate.
template <class S>
std::vector<sweep_move> sweep_order_of(const element_code<S>& code, std::size_t coordinates);

}  // namespace actio
