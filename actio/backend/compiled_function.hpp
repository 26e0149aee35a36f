// A program made callable: the same interface whether it is interpreted or compiled to machine code.
//
// A function maps `inputs` variables to `outputs` values at several points at once ("lanes"). Arrays are lane-minor:
// variable k of point l stands at in[k*stride + l], and so for the outputs. The function itself is immutable; what
// changes lives in an `evaluation`, which also keeps the parameters.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "actio/base/scalar.hpp"
#include "actio/program/program.hpp"

namespace actio {

template <class S>
class evaluation {  // mutable companion of a compiled_function; not shared between threads
 public:
  virtual ~evaluation() = default;
  // Parameters for all lanes: values[k]. Computes everything that depends on them alone.
  virtual void set_parameters(std::span<const S> values) = 0;
  // Evaluates at `points` points. No allocation.
  virtual void operator()(const S* in, S* out) = 0;

  std::size_t points() const { return points_; }
  // The distance between consecutive variables in `in` and outputs in `out`; at least points(). The caller fills
  // only the first points() lanes of each row.
  std::size_t stride() const { return stride_; }

 protected:
  std::size_t points_ = 1, stride_ = 1;
};

template <class S>
class compiled_function {
 public:
  virtual ~compiled_function() = default;
  virtual std::size_t parameters() const = 0;
  virtual std::size_t inputs() const = 0;
  virtual std::size_t outputs() const = 0;
  virtual std::unique_ptr<evaluation<S>> evaluate_at(std::size_t points) const = 0;
};

// The best backend that this build has for scalar S.
template <class S>
std::shared_ptr<const compiled_function<S>> compile(program p);

}  // namespace actio
