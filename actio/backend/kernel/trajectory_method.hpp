// Methods whose step is a text: written once, it moves lanes of a processor and threads of a GPU with their
// certificates, and is carried out with numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "actio/backend/kernel/number_builder.hpp"

namespace actio::machine_code {
class machine_builder;
}  // namespace actio::machine_code

namespace actio::kernel {

struct dataflow;
struct trajectory_code;

// Numbers that a dataflow does not compute.
template <class N>
using fixed_numbers = std::function<N(std::size_t)>;

// Steps `first` … `end` − 1 of the lanes whose rows these are; step 0 begins with what a start needs.
template <class B>
struct stretch {
  const trajectory_code& code;
  const dataflow &equations, &certificate;
  typename B::rows rows;
  typename B::counter first, end;
  fixed_numbers<typename B::number> fixed, certificate_fixed;
};

// A lane, as a step finds it.
template <class B>
struct moving_trajectory {
  // What the step remembers is its own; it means something where `follows` holds, which is so after a step that moved.
  typename B::rows state, remainder, parameters, memory;
  typename B::number step;
  typename B::truth_variable follows;
  typename B::variable effort;  // iterations so far
  typename B::number missing;   // that they may leave
};

// See text_method.hpp, which makes one of a text.
class trajectory_method {
 public:
  virtual ~trajectory_method() = default;

  // Tells it from all others: code is kept under this name.
  virtual std::string name() const = 0;
  // Rows that a step remembers of so many components.
  virtual std::size_t memory(std::size_t components) const = 0;
  virtual void write(number_builder& b, const stretch<number_builder>& steps) const = 0;
  virtual void write(machine_code::machine_builder& b, const stretch<machine_code::machine_builder>& steps) const = 0;
};

}  // namespace actio::kernel
