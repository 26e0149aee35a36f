// Reverse-mode differentiation: adjoints flow from an expression down to its symbols.
#include "actio/expr/derivative.hpp"

#include <array>

#include "actio/base/error.hpp"
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
    case operation::symbol: break;
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
    case operation::sign: return 0;
    case operation::add: return 1;
    case operation::subtract: return k == 0 ? 1 : -1;
    case operation::multiply: return k == 0 ? second() : x;
    case operation::divide: return k == 0 ? 1 / second() : -e / second();
    case operation::power: return k == 0 ? second() * pow(x, second() - 1) : e * log(x);
    case operation::atan2: return (k == 0 ? second() : -x) / (pow(x, 2) + pow(second(), 2));
  }
  ACTIO_ASSERT(false);
  return 0;
}

}  // namespace

std::vector<expr> gradient(const expr& e, std::span<const expr> symbols) {
  const walk order({&e, 1});
  std::vector<char> varies(order.size(), 0);
  for (const expr& symbol : symbols) {
    ACTIO_ASSERT(symbol.op() == operation::symbol);
    if (const std::uint32_t place = order.place_of(symbol); place != walk::nowhere) varies[place] = 1;
  }
  std::vector<std::array<std::uint32_t, 2>> operand_places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto operands = order[i].operands();
    for (std::size_t k = 0; k < operands.size(); ++k) {
      operand_places[i][k] = order.place_of(operands[k]);
      varies[i] |= varies[operand_places[i][k]];
    }
  }

  std::vector<expr> adjoint(order.size());
  adjoint.back() = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (varies[i] == 0 || adjoint[i].is_zero()) continue;
    for (std::size_t k = 0; k < order[i].operands().size(); ++k) {
      const std::uint32_t target = operand_places[i][k];
      if (varies[target] != 0) adjoint[target] += adjoint[i] * partial(order[i], k);
    }
  }

  std::vector<expr> result;
  result.reserve(symbols.size());
  for (const expr& symbol : symbols) {
    const std::uint32_t place = order.place_of(symbol);
    result.push_back(place == walk::nowhere ? expr(0) : adjoint[place]);
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
