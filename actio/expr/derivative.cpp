// Reverse-mode differentiation: adjoints flow from an expression down to its symbols.
#include "actio/expr/derivative.hpp"

#include <array>
#include <queue>
#include <unordered_map>
#include <utility>

#include "actio/base/error.hpp"
#include "actio/expr/piecewise.hpp"
#include "actio/expr/walk.hpp"

namespace actio {

namespace {

// ∂e/∂(operand k of e): the derivative of every operation, written once.
expr partial(const expr& e, std::size_t k) {
  const expr& x = e.operands()[0];
  const auto second = [&]() -> const expr& { return e.operands()[1]; };
  switch (e.op()) {
    case operation::number:
    case operation::pi:
    case operation::symbol:
    case operation::table: break;
    case operation::negate: return -1;
    case operation::sqrt: return 1 / (2 * e);
    case operation::exp: return e;
    case operation::log: return 1 / x;
    case operation::sin: return cos(x);
    case operation::cos: return -sin(x);
    case operation::tan: return 1 + pow(e, 2);
    case operation::asin: return 1 / sqrt(1 - pow(x, 2));
    case operation::acos: return -1 / sqrt(1 - pow(x, 2));
    case operation::atan: return 1 / (1 + pow(x, 2));
    case operation::sinh: return cosh(x);
    case operation::cosh: return sinh(x);
    case operation::tanh: return 1 - pow(e, 2);
    case operation::abs: return sign(x);
    case operation::sign:
    case operation::step:
    case operation::floor:
    case operation::negation:
    case operation::both: return 0;
    case operation::log1p: return 1 / (1 + x);
    case operation::expm1: return exp(x);
    case operation::erf: return 2 / sqrt(expr::pi()) * exp(-pow(x, 2));
    case operation::add: return 1;
    case operation::subtract: return k == 0 ? 1 : -1;
    case operation::multiply: return k == 0 ? second() : x;
    case operation::divide: return k == 0 ? 1 / second() : -e / second();
    case operation::power: return k == 0 ? second() * pow(x, second() - 1) : e * log(x);
    case operation::atan2: return (k == 0 ? second() : -x) / (pow(x, 2) + pow(second(), 2));
    case operation::hypot: return (k == 0 ? x : second()) / e;
    case operation::jn: {
      const auto n = static_cast<unsigned>(numerator(x.number()));
      return n == 0 ? -jn(1, second()) : (jn(n - 1, second()) - jn(n + 1, second())) / 2;
    }
    case operation::where: return k == 0 ? expr(0) : where(x, 1);
    case operation::lookup: return expr::signal(x.part().samples, second(), x.part().order + 1);
  }
  ACTIO_ASSERT(false);
  return 0;
}

}  // namespace

namespace {

// Reverse sweeps over the nodes under one expression. An adjoint that flowed through where(c, x) would meet the slopes
// of x where x is not chosen, and 0 times an infinite slope is no number. So the branch x has a sweep of its own, whose
// result, chosen as a whole, is what the node passes on: ∂ where(c, x) = where(c, ∂x).
class reverse_sweeps {
 public:
  reverse_sweeps(const walk& order, std::span<const expr> symbols) : order_(order), adjoint_(order.size()) {
    std::vector<char> varies(order.size(), 0);
    for (const expr& symbol : symbols) {
      ACTIO_ASSERT(symbol.op() == operation::symbol);
      if (const std::uint32_t place = order.place_of(symbol); place != walk::nowhere) varies[place] = 1;
    }
    operand_places_.resize(order.size(), {walk::nowhere, walk::nowhere});
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const auto operands = order[i].operands();
      for (std::size_t k = 0; k < operands.size(); ++k) {
        const std::uint32_t place = order.place_of(operands[k]);
        if (varies[place] == 0) continue;
        operand_places_[i][k] = place;
        varies[i] = 1;
      }
      const std::uint32_t branch = operand_places_[i][1];
      if (order[i].op() == operation::where && branch != walk::nowhere) of_branch_.emplace(i, sweep(branch));
    }
  }

  struct slope {
    std::uint32_t symbol;  // its place
    expr value;
  };
  // The derivatives of the node at `root` that are not zero.
  std::vector<slope> sweep(std::uint32_t root) {
    std::vector<slope> slopes;
    add(root, 1);
    while (!pending_.empty()) {
      const std::uint32_t i = pending_.top();
      while (!pending_.empty() && pending_.top() == i) pending_.pop();
      const expr adjoint = std::exchange(adjoint_[i], expr());
      if (adjoint.is_zero()) continue;
      if (const auto chosen = of_branch_.find(i); chosen != of_branch_.end()) {
        for (const slope& s : chosen->second) add(s.symbol, adjoint * where(order_[i].operands()[0], s.value));
        continue;
      }
      if (order_[i].op() == operation::symbol) slopes.push_back({i, adjoint});
      for (std::size_t k = 0; k < 2; ++k) {
        const std::uint32_t target = operand_places_[i][k];
        if (target != walk::nowhere) add(target, adjoint * partial(order_[i], k));
      }
    }
    return slopes;
  }

 private:
  void add(std::uint32_t place, const expr& part) {
    adjoint_[place] += part;
    pending_.push(place);
  }

  const walk& order_;
  std::vector<expr> adjoint_;
  std::vector<std::array<std::uint32_t, 2>> operand_places_;  // nowhere where an operand does not vary
  std::priority_queue<std::uint32_t> pending_;
  std::unordered_map<std::uint32_t, std::vector<slope>> of_branch_;
};

}  // namespace

std::vector<expr> gradient(const expr& e, std::span<const expr> symbols) {
  const walk order({&e, 1});
  std::unordered_map<std::uint32_t, expr> slopes;
  reverse_sweeps sweeps(order, symbols);
  for (const auto& [symbol, value] : sweeps.sweep(static_cast<std::uint32_t>(order.size() - 1))) {
    slopes.emplace(symbol, value);
  }
  std::vector<expr> result;
  result.reserve(symbols.size());
  for (const expr& symbol : symbols) {
    const auto found = slopes.find(order.place_of(symbol));
    result.push_back(found == slopes.end() ? expr(0) : found->second);
  }
  return result;
}

expr derivative(const expr& e, const expr& symbol) { return gradient(e, {&symbol, 1}).front(); }

expr total_derivative(const expr& e, std::span<const std::pair<expr, expr>> rates) {
  std::vector<expr> symbols;
  symbols.reserve(rates.size());
  for (const auto& [symbol, rate] : rates) symbols.push_back(symbol);
  const std::vector<expr> slopes = gradient(e, symbols);
  expr sum;
  for (std::size_t i = 0; i < rates.size(); ++i) sum += slopes[i] * rates[i].second;
  return sum;
}

}  // namespace actio
