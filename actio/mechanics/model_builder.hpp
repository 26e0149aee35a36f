// Models written in C++: all that a model file says, with numbers of coordinates, parameters and terms that are known
// when the program runs.
//
//   const model chain = model_builder("chain")
//                           .coordinates("q", n)
//                           .parameter("k", 4)
//                           .lagrangian([](const model_symbols& s) {
//                             expr L;
//                             for (std::size_t i = 0; i < s.size(); ++i) L += pow(s.velocity(i), 2) / 2;
//                             for (std::size_t i = 1; i < s.size(); ++i)
//                               L -= s.parameter("k") * pow(s.position(i) - s.position(i - 1), 2) / 2;
//                             return L;
//                           })
//                           .force("q1", "-0.1*q1'")
//                           .initial_position(std::vector<double>(n, 0.1))
//                           .initial_velocity(std::vector<double>(n, 0))
//                           .build();
//
// What is built is the model that `model::text` describes, a model file: it is read by the same reader, checked by the
// same checks, and a run of it can be repeated from its files by whoever has no C++.
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "actio/expr/sample_table.hpp"
#include "actio/mechanics/force_function.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

// The names of a model, for expressions written in C++. What does not exist is an input_error: unknown-name.
class model_symbols {
 public:
  model_symbols(const model_symbols&) = delete;  // it ends with the call that it was made for
  model_symbols& operator=(const model_symbols&) = delete;
  std::size_t size() const { return coordinates_->size(); }  // number of coordinates
  expr position(std::size_t i) const;                        // coordinates count from 0, in the order of their calls
  expr position(std::string_view coordinate) const;
  expr velocity(std::size_t i) const;
  expr velocity(std::string_view coordinate) const;
  expr momentum(std::size_t i) const;  // for observables, invariants and Hamiltonians
  expr momentum(std::string_view coordinate) const;
  expr parameter(std::string_view name) const;
  expr definition(std::string_view name) const;
  expr time() const;
  expr signal(std::string_view name, const expr& at) const;  // NAME(at)
  // The total time derivative d/dt, by the chain rule: of an expression without velocities (otherwise throws
  // acceleration-in-expression).
  expr rate(const expr& e) const;

 private:
  friend class model_builder;
  model_symbols(const std::vector<std::string>& coordinates, const std::vector<std::string>& parameters,
                const std::vector<std::string>& definitions)
      : coordinates_(&coordinates), parameters_(&parameters), definitions_(&definitions) {}
  const std::string& coordinate(std::size_t i) const;
  const std::string& known(std::string_view name, const std::vector<std::string>& names, const char* kind) const;

  const std::vector<std::string>*coordinates_, *parameters_, *definitions_;  // of the builder, during its call
  std::vector<std::shared_ptr<const sample_table>> signals_;
  std::string role_;  // what is being written
  source_place place_;
};

// A number, an expression, the text of one, or a function that writes one with the symbols of its model. A number with
// a decimal point is the shortest decimal that it is nearest to: 9.81 is 9.81 in every precision.
class model_expression {
 public:
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  model_expression(T value) : text_(std::to_string(value)), kind_(kind::number) {}
  template <std::same_as<bool> T>
  model_expression(T value) : text_(value ? "true" : "false"), kind_(kind::flag) {}  // for options
  template <std::floating_point T>
  model_expression(T value) : text_(shortest(value)), kind_(kind::number) {}
  model_expression(const char* text) : text_(text) {}
  model_expression(std::string text) : text_(std::move(text)) {}
  model_expression(const expr& value) : function_([value](const model_symbols&) { return value; }) {}
  template <class Function>
    requires std::is_invocable_r_v<expr, const Function&, const model_symbols&>
  model_expression(Function function) : function_(std::move(function)) {}

 private:
  friend class model_builder;
  static std::string shortest(double value);
  static std::string shortest(float value);
  static std::string shortest(long double value);

  enum class kind { text, number, flag };
  std::string text_;
  kind kind_ = kind::text;
  std::function<expr(const model_symbols&)> function_;  // where there is no text
};

// One for each coordinate: {0.1, "pi/4"}, or a range of numbers.
class model_values {
 public:
  model_values(std::initializer_list<model_expression> values) : values_(values) {}
  template <std::ranges::input_range Range>
    requires(std::convertible_to<std::ranges::range_reference_t<const Range>, model_expression> &&
             !std::convertible_to<const Range&, std::string_view>)
  model_values(const Range& values) {
    for (const auto& value : values) values_.emplace_back(value);
  }

 private:
  friend class model_builder;
  std::vector<model_expression> values_;
};

class model_builder {
 public:
  explicit model_builder(std::string name);
  // What a system has; initial data are still to be given.
  explicit model_builder(const lagrangian_system& system);

  model_builder& coordinate(std::string name);
  model_builder& coordinates(const std::vector<std::string>& names);
  model_builder& coordinates(const std::string& name, std::size_t count);      // q1, q2, …
  model_builder& parameter(const std::string& name, model_expression value);   // may use parameters before it
  model_builder& definition(const std::string& name, model_expression value);  // may use definitions before it
  // Whole numbers and rows that indices are made of: coordinate("q[1..n]"), parameter("m[i = 1..n]", "1 + i/10"),
  // sum(i = 1..n, ...) and sum(e in NAME, ...) in texts, as in a model file.
  model_builder& size(const std::string& name, model_expression value);
  model_builder& table(const std::string& name, const std::vector<std::string>& columns,
                       const std::vector<model_values>& rows);
  // Samples of a function NAME(t), as [signals.NAME] has them.
  model_builder& signal(const std::string& name, const model_values& times, const model_values& values,
                        interpolation kind = interpolation::linear);
  model_builder& lagrangian(model_expression L);
  model_builder& hamiltonian(model_expression H);  // in positions and momenta, instead of a Lagrangian
  model_builder& equation(const std::string& coordinate,
                          model_expression rate);  // y' = f(t, y), instead of a Lagrangian
  model_builder& force(const std::string& coordinate, model_expression F);
  // Forces that the program computes, beside those (force_function.hpp); `model::text` says nothing of them.
  model_builder& force(std::shared_ptr<const force_function> F);
  model_builder& constraint(const std::string& name, model_expression g);  // held at zero
  model_builder& observable(const std::string& name, model_expression value);
  model_builder& invariant(const std::string& name, model_expression value);
  // An infinitesimal generator: coordinates and how they move, or a function that gives one expression a coordinate.
  model_builder& symmetry(const std::string& name, std::vector<std::pair<std::string, model_expression>> generator);
  model_builder& symmetry(std::string name, std::function<std::vector<expr>(const model_symbols&)> generator);

  model_builder& initial_position(const model_values& values);
  model_builder& initial_position(const std::string& coordinate, model_expression value);
  model_builder& initial_velocity(const model_values& values);
  model_builder& initial_velocity(const std::string& coordinate, model_expression value);
  model_builder& initial_momentum(const model_values& values);
  model_builder& initial_momentum(const std::string& coordinate, model_expression value);
  // Positions after the first step, instead of velocities or momenta.
  model_builder& next_position(const model_values& values);

  // A default of runs, as in the table [run]: option("method", "gauss-4").option("step", 0.01).
  model_builder& option(const std::string& name, model_expression value);

  // Throws input_error for all that is wrong, as parse_model does; its place says which part of the model it is. The
  // builder can go on and build other models.
  model build() const;

 private:
  struct part {
    std::string table, key, role;  // "initial.position", "q1", "initial position of q1"
    model_expression value;
  };
  class writer;

  model_builder& add(std::string table, std::string key, std::string role, model_expression value);
  model_builder& add_all(const std::string& table, const std::string& role, const model_values& values);
  void refuse_what_no_model_is() const;

  struct listed_values {
    std::string table, role;
    std::vector<model_expression> values;
  };
  struct generator {
    std::string name;
    std::function<std::vector<expr>(const model_symbols&)> moves;
  };

  std::string name_;
  std::vector<std::string> coordinates_, parameters_, definitions_;
  std::vector<part> parts_;
  std::vector<listed_values> lists_;
  std::vector<generator> generators_;
  struct sampled {
    std::string name;
    std::vector<model_expression> times, values;
    interpolation kind;
  };
  std::vector<sampled> signals_;
  struct data_table {
    std::string name;
    std::vector<std::string> columns;
    std::vector<model_values> rows;
  };
  std::vector<data_table> tables_;
  std::shared_ptr<const force_function> applied_force_;
};

}  // namespace actio
