#include "actio/program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "actio/base/error.hpp"

namespace actio {

namespace {

using value_id = std::uint32_t;
constexpr std::uint32_t nowhere = UINT32_MAX;

// One value, computed once. Operands come before it; leaves other than numbers and π carry their register in `left`.
struct value {
  operation op;
  value_id left, right;
  bool fixed;  // depends on constants and parameters alone
};

// Largest integer power that becomes a chain of products; beyond it the rounding of the chain is worse than pow's.
constexpr int largest_chain = 1024;

// The values that a set of expressions needs, each once.
class value_table {
 public:
  value_table(std::span<const expr> parameters, std::span<const expr> variables) {
    for (const expr& p : parameters) add_input(p, true);
    for (const expr& v : variables) add_input(v, false);
  }

  // The operands of e must have been made before.
  value_id make(const expr& e) {
    if (const auto known = of_expr_.find(e); known != of_expr_.end()) return known->second;
    const value_id made = e.op() == operation::number ? make_number(e.number())
                          : e.op() == operation::pi   ? append({operation::pi, 0, 0, true})
                                                      : make_operation(e);
    of_expr_.emplace(e, made);
    return made;
  }

  const std::vector<value>& values() const { return values_; }
  const rational& number(const value& v) const { return numbers_[v.left]; }

 private:
  void add_input(const expr& symbol, bool fixed) {
    ACTIO_ASSERT(symbol.op() == operation::symbol);
    const auto position = static_cast<value_id>(values_.size());
    of_expr_.emplace(symbol, append({operation::symbol, position, position, fixed}));
  }

  value_id append(const value& v) {
    values_.push_back(v);
    return static_cast<value_id>(values_.size() - 1);
  }

  value_id make_number(const rational& number) {
    numbers_.push_back(number);
    const auto index = static_cast<value_id>(numbers_.size() - 1);
    return append({operation::number, index, index, true});
  }

  value_id make_operation(const expr& e) {
    const auto operands = e.operands();
    ACTIO_ASSERT(!operands.empty());  // otherwise a symbol that is neither parameter nor variable
    const value_id left = make(operands[0]);
    if (operands.size() == 1) return combine(e.op(), left, left);
    if (e.op() == operation::power) {
      if (const auto chain = make_chain(left, operands[1])) return *chain;
    }
    return combine(e.op(), left, make(operands[1]));
  }

  // op(left, right), shared with an equal one; x + (-y) and x - (-y) lose the sign change, which is exact.
  value_id combine(operation op, value_id left, value_id right) {
    const bool sum = op == operation::add || op == operation::subtract;
    if (sum && values_[right].op == operation::negate) {
      return combine(op == operation::add ? operation::subtract : operation::add, left, values_[right].left);
    }
    if (op == operation::add && values_[left].op == operation::negate) {
      return combine(operation::subtract, right, values_[left].left);
    }
    const std::uint64_t operands = (std::uint64_t{left} << 32) | right;
    auto& same_operands = of_operands_[operands];
    for (const value_id candidate : same_operands) {
      if (values_[candidate].op == op) return candidate;
    }
    const value_id made = append({op, left, right, values_[left].fixed && values_[right].fixed});
    same_operands.push_back(made);
    return made;
  }

  // base^exponent as products and a square root where twice the exponent is a moderate integer.
  std::optional<value_id> make_chain(value_id base, const expr& exponent) {
    if (!exponent.is_number()) return std::nullopt;
    const rational doubled = 2 * exponent.number();
    if (denominator(doubled) != 1 || abs(numerator(doubled)) > 2 * largest_chain) return std::nullopt;
    const int halves = static_cast<int>(numerator(doubled));
    const int magnitude = std::abs(halves);
    value_id result = nowhere;
    if (magnitude % 2 == 1) result = combine(operation::sqrt, base, base);
    value_id square = base;  // base^(2^k)
    for (int rest = magnitude / 2; rest > 0; rest /= 2) {
      if (rest % 2 == 1) result = result == nowhere ? square : combine(operation::multiply, result, square);
      if (rest > 1) square = combine(operation::multiply, square, square);
    }
    if (result == nowhere) return make(expr(1));
    return halves > 0 ? result : combine(operation::divide, make(expr(1)), result);
  }

  std::vector<value> values_;
  std::vector<rational> numbers_;
  expr_map<value_id> of_expr_;
  std::unordered_map<std::uint64_t, std::vector<value_id>> of_operands_;
};

// Gives registers to the values that the outputs need, and writes the instructions.
class register_allocation {
 public:
  register_allocation(const value_table& table, std::vector<value_id> outputs)
      : table_(table), outputs_(std::move(outputs)), last_use_(table.values().size(), nowhere) {
    find_last_uses();
  }

  program allocate(std::size_t parameters, std::size_t variables) {
    program_.parameters = parameters;
    program_.variables = variables;
    program_.registers = parameters + variables;
    register_of_.assign(table_.values().size(), nowhere);
    for (value_id v = 0; v < table_.values().size(); ++v) {
      if (table_.values()[v].fixed || table_.values()[v].op == operation::symbol) place_fixed(v);
    }
    for (value_id v = 0; v < table_.values().size(); ++v) {
      if (register_of_[v] == nowhere && is_needed(v)) place_in_body(v);
    }
    for (const value_id v : outputs_) program_.outputs.push_back(register_of_[v]);
    return std::move(program_);
  }

 private:
  bool is_needed(value_id v) const { return last_use_[v] != nowhere; }

  // The last value that reads each value; the number of values where an output does.
  void find_last_uses() {
    const auto& values = table_.values();
    const auto end = static_cast<value_id>(values.size());
    for (const value_id v : outputs_) last_use_[v] = end;
    for (value_id v = end; v-- > 0;) {
      if (!is_needed(v) || operand_count(values[v].op) == 0) continue;
      for (const value_id operand : {values[v].left, values[v].right}) {
        if (!is_needed(operand)) last_use_[operand] = v;
      }
    }
  }

  std::uint32_t new_register() { return static_cast<std::uint32_t>(program_.registers++); }

  instruction instruction_for(const value& v, std::uint32_t target) const {
    return {v.op, target, register_of_[v.left], register_of_[v.right]};
  }

  void place_fixed(value_id id) {
    const value& v = table_.values()[id];
    if (v.op == operation::symbol) {
      register_of_[id] = v.left;
      return;
    }
    if (!is_needed(id)) return;
    register_of_[id] = new_register();
    if (v.op == operation::number) {
      program_.constants.push_back({register_of_[id], table_.number(v)});
    } else if (v.op == operation::pi) {
      program_.pi_registers.push_back(register_of_[id]);
    } else {
      program_.setup.push_back(instruction_for(v, register_of_[id]));
    }
  }

  // The target may be the register of an operand that is read here for the last time.
  void place_in_body(value_id id) {
    const value& v = table_.values()[id];
    const instruction operands = instruction_for(v, nowhere);
    if (v.right != v.left) release_after(v.right, id);
    release_after(v.left, id);
    if (free_.empty()) {
      register_of_[id] = new_register();
    } else {
      register_of_[id] = free_.back();
      free_.pop_back();
    }
    program_.body.push_back({operands.op, register_of_[id], operands.left, operands.right});
  }

  void release_after(value_id operand, value_id reader) {
    const value& v = table_.values()[operand];
    if (!v.fixed && v.op != operation::symbol && last_use_[operand] == reader) free_.push_back(register_of_[operand]);
  }

  const value_table& table_;
  std::vector<value_id> outputs_;
  std::vector<value_id> last_use_;
  std::vector<std::uint32_t> register_of_;
  std::vector<std::uint32_t> free_;
  program program_;
};

std::string to_text(const instruction& i) {
  if (i.op == operation::negate) return fmt::format("r{} = -r{}\n", i.target, i.left);
  if (operand_count(i.op) == 1) return fmt::format("r{} = {} r{}\n", i.target, name_of(i.op), i.left);
  if (i.op == operation::atan2) return fmt::format("r{} = atan2 r{} r{}\n", i.target, i.left, i.right);
  return fmt::format("r{} = r{} {} r{}\n", i.target, i.left, name_of(i.op), i.right);
}

std::string register_range(std::string_view role, std::size_t first, std::size_t count) {
  std::string line(role);
  for (std::size_t i = 0; i < count; ++i) line += fmt::format(" r{}", first + i);
  return line + "\n";
}

}  // namespace

program lower(std::span<const expr> outputs, std::span<const expr> parameters, std::span<const expr> variables) {
  value_table table(parameters, variables);
  for (const expr& e : topological_order(outputs)) {
    // Numbers are made where they are used: the exponents of product chains are not.
    if (operand_count(e.op()) > 0) table.make(e);
  }
  std::vector<value_id> results;
  results.reserve(outputs.size());
  for (const expr& e : outputs) results.push_back(table.make(e));
  return register_allocation(table, std::move(results)).allocate(parameters.size(), variables.size());
}

std::string to_text(const program& p) {
  std::string text = register_range("parameters", 0, p.parameters);
  text += register_range("variables", p.parameters, p.variables);
  for (const program::constant& c : p.constants) text += fmt::format("r{} = {}\n", c.target, c.value.str());
  for (const std::uint32_t r : p.pi_registers) text += fmt::format("r{} = pi\n", r);
  text += "setup\n";
  for (const instruction& i : p.setup) text += to_text(i);
  text += "body\n";
  for (const instruction& i : p.body) text += to_text(i);
  text += "outputs";
  for (const std::uint32_t r : p.outputs) text += fmt::format(" r{}", r);
  return text + "\n";
}

}  // namespace actio
