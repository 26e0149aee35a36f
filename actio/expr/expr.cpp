// The handle `expr`, and walks over the DAG.
#include "actio/expr/expr.hpp"

#include <array>
#include <cmath>

#include "actio/base/error.hpp"
#include "actio/expr/node_pool.hpp"
#include "actio/expr/sample_table.hpp"
#include "actio/expr/walk.hpp"

namespace actio {

namespace {

struct operation_traits {
  std::string_view name;
  int operand_count;
};

const operation_traits& traits(operation op) {
  static constexpr std::array<operation_traits, 36> table = {{
      {"number", 0}, {"pi", 0},    {"symbol", 0}, {"-", 1},      {"sqrt", 1},  {"exp", 1},  {"log", 1},  {"sin", 1},
      {"cos", 1},    {"tan", 1},   {"asin", 1},   {"acos", 1},   {"atan", 1},  {"sinh", 1}, {"cosh", 1}, {"tanh", 1},
      {"abs", 1},    {"sign", 1},  {"+", 2},      {"-", 2},      {"*", 2},     {"/", 2},    {"^", 2},    {"atan2", 2},
      {"table", 0},  {"step", 1},  {"floor", 1},  {"log1p", 1},  {"expm1", 1}, {"erf", 1},  {"not", 1},  {"hypot", 2},
      {"jn", 2},     {"where", 2}, {"and", 2},    {"lookup", 2},
  }};
  static_assert(table.size() == static_cast<std::size_t>(operation::lookup) + 1);
  return table[static_cast<std::size_t>(op)];
}

}  // namespace

int operand_count(operation op) { return traits(op).operand_count; }
std::string_view name_of(operation op) { return traits(op).name; }

namespace {

// Held for the life of the process, so that the commonest numbers cost no lookup.
const expr& zero() {
  static const expr& value = *new expr(rational(0));
  return value;
}

const expr& one() {
  static const expr& value = *new expr(rational(1));
  return value;
}

rational finite_rational(double value) {
  if (!std::isfinite(value)) {
    throw input_error("bad-number", "a number in an expression is not finite", {}, "give a finite number");
  }
  return rational(value);
}

}  // namespace

expr::expr() : expr(zero()) {}
expr::expr(int value) : expr(static_cast<long long>(value)) {}
expr::expr(long long value) : expr(value == 0 ? zero() : value == 1 ? one() : expr(rational(value))) {}
expr::expr(double value) : expr(finite_rational(value)) {}
expr::expr(const rational& value) : expr(pool::instance().number(value)) {}
expr::expr(const expr& other) noexcept : node_(other.node_) {
  if (node_ != nullptr) pool::retain(node_);
}
expr::expr(expr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
expr& expr::operator=(const expr& other) noexcept {
  expr copy(other);
  std::swap(node_, copy.node_);
  return *this;
}
expr& expr::operator=(expr&& other) noexcept {
  expr taken(std::move(other));
  std::swap(node_, taken.node_);
  return *this;
}
expr::~expr() {
  if (node_ != nullptr) pool::release(node_);
}

expr expr::pi() { return pool::instance().leaf(operation::pi, "pi"); }
expr expr::symbol(std::string_view name) { return pool::instance().leaf(operation::symbol, name); }

expr expr::signal(const std::shared_ptr<const sample_table>& samples, const expr& x, unsigned order) {
  if (order > samples->degree()) return 0;
  const std::array operands{pool::instance().table({samples, order}), x};
  return make(operation::lookup, operands);
}

operation expr::op() const {
  ACTIO_ASSERT(node_ != nullptr);
  return node_->op_;
}
std::span<const expr> expr::operands() const {
  return {node_->operands_, static_cast<std::size_t>(operand_count(op()))};
}
const rational& expr::number() const {
  ACTIO_ASSERT(op() == operation::number);
  return static_cast<const pool::number_node*>(node_)->value_;
}
const std::string& expr::name() const {
  ACTIO_ASSERT(op() == operation::symbol);
  return static_cast<const pool::symbol_node*>(node_)->name_;
}
const signal_part& expr::part() const {
  ACTIO_ASSERT(op() == operation::table);
  return static_cast<const pool::table_node*>(node_)->part_;
}
bool expr::is_zero() const { return *this == zero(); }
bool expr::is_one() const { return *this == one(); }

std::vector<expr> topological_order(std::span<const expr> roots) {
  const walk nodes(roots);
  std::vector<expr> order;
  order.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) order.push_back(nodes[i]);
  return order;
}

std::vector<expr> symbols_in(std::span<const expr> roots) {
  const walk nodes(roots);
  std::vector<expr> symbols;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op() == operation::symbol) symbols.push_back(nodes[i]);
  }
  return symbols;
}

bool depends_on(const expr& e, const expr& symbol) { return walk({&e, 1}).place_of(symbol) != walk::nowhere; }

std::vector<expr> substitute(std::span<const expr> es, const expr_map<expr>& replacements) {
  const walk nodes(es);
  std::vector<expr> replaced;
  replaced.reserve(nodes.size());
  std::vector<expr> operands;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const expr& e = nodes[i];
    if (const auto found = replacements.find(e); found != replacements.end()) {
      replaced.push_back(found->second);
      continue;
    }
    operands.clear();
    bool changed = false;
    for (const expr& operand : e.operands()) {
      operands.push_back(replaced[nodes.place_of(operand)]);
      changed = changed || !(operands.back() == operand);
    }
    replaced.push_back(changed ? expr::make(e.op(), operands) : e);
  }
  std::vector<expr> results;
  results.reserve(es.size());
  for (const expr& e : es) results.push_back(replaced[nodes.place_of(e)]);
  return results;
}

expr substitute(const expr& e, const expr_map<expr>& replacements) {
  return substitute(std::span(&e, 1), replacements).front();
}

}  // namespace actio
