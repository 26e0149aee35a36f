#include "actio/program/program_builder.hpp"

#include <algorithm>

#include "actio/base/error.hpp"
#include "actio/expr/piecewise.hpp"
#include "actio/expr/sample_table.hpp"

namespace actio {

namespace {

using value_id = std::uint32_t;
constexpr std::uint32_t nowhere = UINT32_MAX;

// Largest integer power that becomes a chain of products; beyond it the rounding of the chain is worse than pow's.
constexpr int largest_chain = 1024;

}  // namespace

program_builder::program_builder(std::size_t parameters, std::size_t variables)
    : parameters_(parameters), variables_(variables) {
  for (std::size_t k = 0; k < parameters + variables; ++k) {
    const auto position = static_cast<value_id>(k);
    append({operation::symbol, position, position, k < parameters});
  }
}

program_builder::value program_builder::append(const node& n) {
  nodes_.push_back(n);
  return static_cast<value>(nodes_.size() - 1);
}

program_builder::value program_builder::number(const rational& x) {
  const auto [found, fresh] = known_numbers_.try_emplace(x);
  if (fresh) {
    numbers_.push_back(x);
    const auto index = static_cast<value_id>(numbers_.size() - 1);
    found->second = append({operation::number, index, index, true});
  }
  return found->second;
}

program_builder::value program_builder::apply(operation op, value left, value right) {
  const bool sum = op == operation::add || op == operation::subtract;
  if (sum && at(right).op == operation::negate) {
    return apply(op == operation::add ? operation::subtract : operation::add, left, value{at(right).left});
  }
  if (op == operation::add && at(left).op == operation::negate) {
    return apply(operation::subtract, right, value{at(left).left});
  }
  const auto is_one = [&](value v) { return at(v).op == operation::number && numbers_[at(v).left] == 1; };
  if (op == operation::multiply && is_one(left)) return right;
  if ((op == operation::multiply || op == operation::divide) && is_one(right)) return left;
  const auto l = static_cast<value_id>(left), r = static_cast<value_id>(right);
  const auto [found, fresh] = applied_.try_emplace({op, l, r});
  if (fresh) found->second = append({op, l, r, at(left).fixed && at(right).fixed});
  return found->second;
}

program_builder::value program_builder::pi() {
  if (!pi_) pi_ = append({operation::pi, 0, 0, true});
  return *pi_;
}

// The operands of e must be known, except numbers and π.
program_builder::value program_builder::make(const expr& e, expr_map<value>& known) {
  if (const auto found = known.find(e); found != known.end()) return found->second;
  if (e.op() == operation::number) return number(e.number());
  if (e.op() == operation::pi) return pi();
  if (e.op() == operation::table) {
    const signal_part& part = e.part();
    if (std::ranges::find(tables_, part.samples) == tables_.end()) tables_.push_back(part.samples);
    return number(rational(part.samples->code(part.order)));
  }
  const auto operands = e.operands();
  if (operands.empty()) {
    throw input_error("unbound-symbol", "'" + e.name() + "' has no value here", {},
                      "a long sum is kept as a whole: take fewer members, so that it is written out");
  }
  const value left = make(operands[0], known);
  value made{};
  if (e.op() == operation::negation) {
    made = subtract(number(1), left);
  } else if (e.op() == operation::both) {
    made = multiply(left, make(operands[1], known));
  } else if (const auto mod = has_floors_ ? parts_of_mod(e) : std::nullopt) {
    made = make_remainder(make(mod->a, known), make(mod->b, known));
  } else if (operands.size() == 1) {
    made = apply(e.op(), left);
  } else if (const auto chain = e.op() == operation::power ? make_chain(left, operands[1]) : std::nullopt) {
    made = *chain;
  } else if (e.op() == operation::power && operands[1].is_number()) {
    made = make_power(left, operands[1]);
  } else {
    made = apply(e.op(), left, make(operands[1], known));
  }
  known.emplace(e, made);
  return made;
}

// base^exponent as products and square roots where four times the exponent is a moderate integer.
std::optional<program_builder::value> program_builder::make_chain(value base, const expr& exponent) {
  if (!exponent.is_number()) return std::nullopt;
  const rational fourfold = 4 * exponent.number();
  if (denominator(fourfold) != 1 || abs(numerator(fourfold)) > 4 * largest_chain) return std::nullopt;
  const int quarters = static_cast<int>(numerator(fourfold)), magnitude = std::abs(quarters);
  std::optional<value> result;
  const auto multiply_by = [&](value factor) { result = result ? multiply(*result, factor) : factor; };
  if (magnitude % 4 != 0) {
    const value root = apply(operation::sqrt, base);
    if (magnitude % 2 == 1) multiply_by(apply(operation::sqrt, root));
    if (magnitude % 4 >= 2) multiply_by(root);
  }
  value square = base;  // base^(2^k)
  for (int rest = magnitude / 4; rest > 0; rest /= 2) {
    if (rest % 2 == 1) multiply_by(square);
    if (rest > 1) square = multiply(square, square);
  }
  if (!result) return number(1);
  return quarters > 0 ? *result : divide(number(1), *result);
}

// Rounded, an exponent c like 1/3 would be off by what log(base) enlarges: a part of it with few bits, and the small
// rest.
program_builder::value program_builder::make_power(value base, const expr& exponent) {
  constexpr int bits = 14;
  const rational& whole = exponent.number();
  const mp::cpp_int scale = mp::cpp_int(1) << bits;
  const mp::cpp_int steps = numerator(rational(whole * scale)) / denominator(rational(whole * scale));
  const rational first(steps, scale), rest = whole - first;
  const bool is_exact = (denominator(whole) & (denominator(whole) - 1)) == 0;
  const bool is_large = mp::abs(steps) > (mp::cpp_int(1) << 52);
  if (is_exact || is_large || steps == 0) return apply(operation::power, base, number(whole));
  return multiply(apply(operation::power, base, number(first)), apply(operation::power, base, number(rest)));
}

// a − b ⌊a/b⌋ between 0 and b, in the same operations everywhere: the product is read twice, so that no backend fuses
// it with a sum, and those after it, with 0, ±b, are exact.
program_builder::value program_builder::make_remainder(value a, value b) {
  const value inverse = divide(number(1), b);
  const auto whole_parts = [&](value x) { return apply(operation::floor, multiply(x, inverse)); };
  const value product = multiply(b, whole_parts(a));
  const value first = subtract(a, product);
  value result = subtract(a, add(product, multiply(b, whole_parts(first))));
  for (int k = 0; k < 2; ++k) result = subtract(result, multiply(b, whole_parts(result)));
  return result;
}

std::vector<program_builder::value> program_builder::evaluate(std::span<const expr> expressions,
                                                              const expr_map<value>& symbols) {
  expr_map<value> known = symbols;
  const std::vector<expr> order = topological_order(expressions);
  has_floors_ = std::ranges::any_of(order, [](const expr& e) { return e.op() == operation::floor; });
  for (const expr& e : order) {
    // Numbers are made where they are used: the exponents of product chains are not.
    if (operand_count(e.op()) > 0) make(e, known);
  }
  std::vector<value> results;
  results.reserve(expressions.size());
  for (const expr& e : expressions) results.push_back(make(e, known));
  return results;
}

// Gives registers to the values that the outputs need, and writes the instructions.
class register_allocation {
 public:
  register_allocation(const program_builder& builder, std::span<const program_builder::value> outputs)
      : builder_(builder), last_use_(builder.nodes_.size(), nowhere) {
    for (const program_builder::value v : outputs) outputs_.push_back(static_cast<value_id>(v));
    find_last_uses();
  }

  program allocate() {
    program_.parameters = builder_.parameters_;
    program_.tables = builder_.tables_;
    program_.variables = builder_.variables_;
    program_.registers = builder_.parameters_ + builder_.variables_;
    register_of_.assign(builder_.nodes_.size(), nowhere);
    for (value_id v = 0; v < builder_.nodes_.size(); ++v) {
      if (builder_.nodes_[v].fixed || builder_.nodes_[v].op == operation::symbol) place_fixed(v);
    }
    for (value_id v = 0; v < builder_.nodes_.size(); ++v) {
      if (register_of_[v] == nowhere && is_needed(v)) place_in_body(v);
    }
    for (const value_id v : outputs_) program_.outputs.push_back(register_of_[v]);
    return std::move(program_);
  }

 private:
  using node = program_builder::node;

  bool is_needed(value_id v) const { return last_use_[v] != nowhere; }

  // The last value that reads each value; the number of values where an output does.
  void find_last_uses() {
    const auto& values = builder_.nodes_;
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

  instruction instruction_for(const node& v, std::uint32_t target) const {
    return {v.op, target, register_of_[v.left], register_of_[v.right]};
  }

  void place_fixed(value_id id) {
    const node& v = builder_.nodes_[id];
    if (v.op == operation::symbol) {
      register_of_[id] = v.left;
      return;
    }
    if (!is_needed(id)) return;
    register_of_[id] = new_register();
    if (v.op == operation::number) {
      program_.constants.push_back({register_of_[id], builder_.numbers_[v.left]});
    } else if (v.op == operation::pi) {
      program_.pi_registers.push_back(register_of_[id]);
    } else {
      program_.setup.push_back(instruction_for(v, register_of_[id]));
    }
  }

  // The target may be the register of an operand that is read here for the last time.
  void place_in_body(value_id id) {
    const node& v = builder_.nodes_[id];
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
    const node& v = builder_.nodes_[operand];
    if (!v.fixed && v.op != operation::symbol && last_use_[operand] == reader) free_.push_back(register_of_[operand]);
  }

  const program_builder& builder_;
  std::vector<value_id> outputs_;
  std::vector<value_id> last_use_;
  std::vector<std::uint32_t> register_of_;
  std::vector<std::uint32_t> free_;
  program program_;
};

std::vector<program_builder::value> program_builder::include(const program& p, std::span<const value> variables) {
  ACTIO_ASSERT(p.parameters == parameters_ && p.variables == variables.size());
  std::vector<value> held(p.registers, value{0});
  for (std::size_t k = 0; k < parameters_; ++k) held[k] = parameter(k);
  std::ranges::copy(variables, held.begin() + static_cast<std::ptrdiff_t>(parameters_));
  for (const program::constant& c : p.constants) held[c.target] = number(c.value);
  for (const std::uint32_t r : p.pi_registers) held[r] = pi();
  for (const std::vector<instruction>* part : {&p.setup, &p.body}) {
    for (const instruction& i : *part) held[i.target] = apply(i.op, held[i.left], held[i.right]);
  }
  std::vector<value> outputs;
  for (const std::uint32_t r : p.outputs) outputs.push_back(held[r]);
  return outputs;
}

program program_builder::finish(std::span<const value> outputs) const {
  return register_allocation(*this, outputs).allocate();
}

}  // namespace actio
