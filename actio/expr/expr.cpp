// The handle `expr`, and walks over the DAG.
#include "actio/expr/expr.hpp"

#include <array>
#include <cmath>
#include <unordered_set>

#include "actio/base/error.hpp"
#include "actio/expr/node_pool.hpp"

namespace actio {

namespace {

struct operation_traits {
  std::string_view name;
  int operand_count;
};

const operation_traits& traits(operation op) {
  static constexpr std::array<operation_traits, 24> table = {{
      {"number", 0}, {"pi", 0},   {"symbol", 0}, {"-", 1},    {"sqrt", 1}, {"exp", 1},  {"log", 1},  {"sin", 1},
      {"cos", 1},    {"tan", 1},  {"asin", 1},   {"acos", 1}, {"atan", 1}, {"sinh", 1}, {"cosh", 1}, {"tanh", 1},
      {"abs", 1},    {"sign", 1}, {"+", 2},      {"-", 2},    {"*", 2},    {"/", 2},    {"^", 2},    {"atan2", 2},
  }};
  static_assert(table.size() == static_cast<std::size_t>(operation::atan2) + 1);
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
bool expr::is_zero() const { return *this == zero(); }
bool expr::is_one() const { return *this == one(); }

namespace {

// Calls visit(node) once for every node under `roots`, operands first, from left to right.
template <class Visit>
void visit_once(std::span<const expr> roots, Visit visit) {
  struct frame {
    const expr* e;
    std::size_t next_operand;
  };
  std::unordered_set<const void*> seen;
  std::vector<frame> path;
  for (const expr& root : roots) {
    if (!seen.insert(root.id()).second) continue;
    path.push_back({&root, 0});
    while (!path.empty()) {
      frame& top = path.back();
      const auto operands = top.e->operands();
      if (top.next_operand == operands.size()) {
        visit(*top.e);
        path.pop_back();
        continue;
      }
      const expr& operand = operands[top.next_operand++];
      if (seen.insert(operand.id()).second) path.push_back({&operand, 0});
    }
  }
}

}  // namespace

std::vector<expr> topological_order(std::span<const expr> roots) {
  std::vector<expr> order;
  visit_once(roots, [&](const expr& e) { order.push_back(e); });
  return order;
}

std::vector<expr> symbols_in(std::span<const expr> roots) {
  std::vector<expr> symbols;
  visit_once(roots, [&](const expr& e) {
    if (e.op() == operation::symbol) symbols.push_back(e);
  });
  return symbols;
}

bool depends_on(const expr& e, const expr& symbol) {
  bool found = false;
  visit_once({&e, 1}, [&](const expr& part) { found = found || part == symbol; });
  return found;
}

std::vector<expr> substitute(std::span<const expr> es, const expr_map<expr>& replacements) {
  std::unordered_map<const void*, expr> replaced;
  visit_once(es, [&](const expr& e) {
    if (const auto found = replacements.find(e); found != replacements.end()) {
      replaced.emplace(e.id(), found->second);
      return;
    }
    std::vector<expr> operands;
    bool changed = false;
    for (const expr& operand : e.operands()) {
      operands.push_back(replaced.at(operand.id()));
      changed = changed || !(operands.back() == operand);
    }
    replaced.emplace(e.id(), changed ? expr::make(e.op(), operands) : e);
  });
  std::vector<expr> results;
  results.reserve(es.size());
  for (const expr& e : es) results.push_back(replaced.at(e.id()));
  return results;
}

expr substitute(const expr& e, const expr_map<expr>& replacements) {
  return substitute(std::span(&e, 1), replacements).front();
}

}  // namespace actio
