// Programs put together value by value, where the order of rounding matters or expressions are evaluated at several
// points of one program: steps of methods are built so. `lower` is the case of expressions alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "actio/program/program.hpp"

namespace actio {

class program_builder {
 public:
  // A value, computed once however often it is asked for.
  enum class value : std::uint32_t {};

  program_builder(std::size_t parameters, std::size_t variables);

  value parameter(std::size_t k) const { return static_cast<value>(k); }
  value variable(std::size_t k) const { return static_cast<value>(parameters_ + k); }
  value number(const rational& x);

  // op(left, right), shared with an equal one; x + (−y) and x − (−y) lose the sign change, x · 1 and x / 1 the
  // operation, which is exact.
  value apply(operation op, value left, value right);
  value apply(operation op, value operand) { return apply(op, operand, operand); }
  value add(value a, value b) { return apply(operation::add, a, b); }
  value subtract(value a, value b) { return apply(operation::subtract, a, b); }
  value multiply(value a, value b) { return apply(operation::multiply, a, b); }
  value divide(value a, value b) { return apply(operation::divide, a, b); }

  // The values of expressions whose symbols stand for the given values.
  std::vector<value> evaluate(std::span<const expr> expressions, const expr_map<value>& symbols);

  // The outputs of a program with these values as its variables; its parameters are those of this one.
  std::vector<value> include(const program& p, std::span<const value> variables);

  // Whether a value depends on constants and parameters alone.
  bool is_fixed(value v) const { return at(v).fixed; }

  program finish(std::span<const value> outputs) const;

 private:
  friend class register_allocation;
  // Operands come before it. Inputs carry their register in `left`, numbers their place in numbers_.
  struct node {
    operation op;
    std::uint32_t left, right;
    bool fixed;  // depends on constants and parameters alone
  };

  struct applied {
    operation op;
    std::uint32_t left, right;
    bool operator==(const applied&) const = default;
  };
  struct applied_hash {
    std::size_t operator()(const applied& a) const {
      const std::uint64_t operands = (std::uint64_t{a.left} << 32) | a.right;
      return (operands + static_cast<std::uint64_t>(a.op)) * 0x9e3779b97f4a7c15ULL;
    }
  };

  // Any order will do, and that of the numbers themselves takes a division.
  struct by_parts {
    bool operator()(const rational& a, const rational& b) const {
      const int order = denominator(a).compare(denominator(b));
      return order != 0 ? order < 0 : numerator(a).compare(numerator(b)) < 0;
    }
  };

  value pi();
  value append(const node& n);
  value make(const expr& e, expr_map<value>& known);
  std::optional<value> make_chain(value base, const expr& exponent);
  value make_power(value base, const expr& exponent);
  value make_remainder(value a, value b);
  const node& at(value v) const { return nodes_[static_cast<std::uint32_t>(v)]; }

  std::size_t parameters_, variables_;
  std::vector<node> nodes_;
  std::vector<rational> numbers_;
  std::vector<std::shared_ptr<const sample_table>> tables_;
  std::map<rational, value, by_parts> known_numbers_;
  std::optional<value> pi_;
  bool has_floors_ = false;  // among the expressions that are on their way
  std::unordered_map<applied, value, applied_hash> applied_;
};

}  // namespace actio
