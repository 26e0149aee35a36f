// A program evaluated at many points whose variables stand in arrays of their own: out[k][e] = f_k(in[0][e], in[1][e],
// …) for e = 0 … count − 1. Outputs overlap no inputs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "actio/program/program.hpp"

namespace actio {

template <class S>
class element_kernel {
 public:
  virtual ~element_kernel() = default;
  virtual void set_parameters(std::span<const S> values) = 0;
  // `count` is a multiple of element_lanes; lanes that nobody reads repeat others.
  virtual void run(const S* const* in, S* const* out, std::size_t count) = 0;
};

inline constexpr std::size_t element_lanes = 8;

// For as many points at a time as `count`: where these are many, a loop in machine code that is made at once; otherwise
// what `compile` gives, with the same bits.
template <class S>
std::unique_ptr<element_kernel<S>> make_element_kernel(const std::shared_ptr<const program>& p, std::size_t count);

}  // namespace actio
