// Generalised forces that a program computes: F(t, q, v), asked at every node of every iteration. They act beside the
// forces that a model writes as expressions.
//
//   system.applied_force = force_from([](auto t, auto q, auto v, auto force) { force[0] = -v[0] * abs(v[0]) + sin(t);
//   });
//
// What a function gives must depend on its arguments alone: iterations, companions and repeated steps ask it at many
// times, forward and back. Ensembles ask it from several threads at once. What it throws ends the run and reaches
// whoever called; callback_interruption ends a run with everything up to the step before.
//
// Of such a force nothing is known but its values. Momenta are therefore not said to be conserved, and methods whose
// equations are written down beforehand refuse it or take their general steps.
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

// Thrown by a force or a control to end its run where it is: interrupted, with all whole steps.
class callback_interruption : public std::exception {
 public:
  const char* what() const noexcept override { return "a callback ended the run"; }
};

// Writes one force a coordinate into `force`, which is zero before.
template <class S>
using force_values = std::function<void(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> force)>;
// Writes ∂F/∂q and ∂F/∂v, n × n, which are zero before.
template <class S>
using force_slopes = std::function<void(const S& t, std::span<const S> q, std::span<const S> v, matrix<S>& by_position,
                                        matrix<S>& by_velocity)>;

// For each kind of numbers that a run may have; double is needed always. Slopes that are not given are taken by
// differences.
struct force_function {
  force_values<double> in_double;
  force_values<quad> in_quad = {};
  force_values<multi> in_multi = {};
  force_slopes<double> slopes_in_double = {};
  force_slopes<quad> slopes_in_quad = {};
  force_slopes<multi> slopes_in_multi = {};

  template <class S>
  const force_values<S>& values() const {
    if constexpr (std::same_as<S, double>) return in_double;
    else if constexpr (std::same_as<S, quad>) return in_quad;
    else return in_multi;
  }
  template <class S>
  const force_slopes<S>& slopes() const {
    if constexpr (std::same_as<S, double>) return slopes_in_double;
    else if constexpr (std::same_as<S, quad>) return slopes_in_quad;
    else return slopes_in_multi;
  }
};

// Throws force-size.
[[noreturn]] void refuse_force_size(std::size_t given, std::size_t wanted);

// `function` as that of numbers of the kind S: it has a fourth argument to write into, or returns a range of forces,
// one a coordinate.
template <class S, class Function>
force_values<S> force_values_from(Function function) {
  using numbers = std::span<const S>;
  return [function = std::move(function)](const S& t, numbers q, numbers v, std::span<S> force) {
    if constexpr (std::is_invocable_v<const Function&, const S&, numbers, numbers, std::span<S>>) {
      function(t, q, v, force);
    } else {
      const auto given = function(t, q, v);
      if (std::ranges::size(given) != force.size()) refuse_force_size(std::ranges::size(given), force.size());
      std::size_t i = 0;
      for (const auto& f : given) force[i++] = S(f);
    }
  };
}

// From one function for all numbers, [](auto t, auto q, auto v, auto force) { … }.
template <class Function>
std::shared_ptr<const force_function> force_from(Function function) {
  return std::make_shared<const force_function>(force_function{.in_double = force_values_from<double>(function),
                                                               .in_quad = force_values_from<quad>(function),
                                                               .in_multi = force_values_from<multi>(function)});
}

// A force at one point after another. The function must outlive it.
template <class S>
class force_evaluation {
 public:
  // Throws force-lacks-precision where the function does not compute in S.
  force_evaluation(const force_function& function, std::size_t size);

  void at(const S& t, std::span<const S> q, std::span<const S> v);
  const S& force(std::size_t i) const { return force_[i]; }
  S power(std::span<const S> v) const;  // F·v

  // ∂F/∂q and ∂F/∂v: as the function gives them, or by central differences, whose error is ε^(2/3) of the changes of F
  // over lengths of the size of q and v.
  void slopes_at(const S& t, std::span<const S> q, std::span<const S> v);
  const S& by_position(std::size_t i, std::size_t j) const { return by_position_(i, j); }
  const S& by_velocity(std::size_t i, std::size_t j) const { return by_velocity_(i, j); }

 private:
  void differentiate(const S& t, std::vector<S>& varied, matrix<S>& slopes);

  const force_function* function_;
  std::vector<S> q_, v_, force_, ahead_, behind_;
  matrix<S> by_position_, by_velocity_;
};

}  // namespace actio
