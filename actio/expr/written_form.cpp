#include "actio/expr/written_form.hpp"

#include <algorithm>
#include <vector>

#include "actio/expr/walk.hpp"

namespace actio {

namespace {

constexpr unsigned highest_degree = 1000;  // beyond, nobody asks

// By their places in a walk.
std::vector<char> which_are_among(const walk& order, std::span<const expr> symbols) {
  std::vector<char> marks(order.size(), 0);
  for (const expr& s : symbols) {
    if (const std::uint32_t place = order.place_of(s); place != walk::nowhere) marks[place] = 1;
  }
  return marks;
}

// The exponent of a power that keeps a polynomial one.
std::optional<unsigned> whole_exponent(const expr& e) {
  if (!e.is_number() || denominator(e.number()) != 1 || numerator(e.number()) < 0) return std::nullopt;
  if (numerator(e.number()) > highest_degree) return std::nullopt;
  return static_cast<unsigned>(numerator(e.number()));
}

using degree = std::optional<unsigned>;

degree bounded(unsigned d) { return d <= highest_degree ? degree(d) : std::nullopt; }

// The degree of an operation whose operands have these, some of them above zero or unknown.
degree degree_of(const expr& e, std::span<const degree> operands) {
  const degree &a = operands[0], &b = operands[operands.size() - 1];
  switch (e.op()) {
    case operation::negate: return a;
    case operation::add:
    case operation::subtract: return a && b ? degree(std::max(*a, *b)) : std::nullopt;
    case operation::multiply: return a && b ? bounded(*a + *b) : std::nullopt;
    case operation::divide: return b == degree(0) ? a : std::nullopt;
    case operation::where: return a == degree(0) ? b : std::nullopt;  // coefficients are chosen
    case operation::power: {
      const degree n = whole_exponent(e.operands()[1]);
      return a && n ? bounded(*a * *n) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

}  // namespace

bool depends_on_any(const expr& e, std::span<const expr> symbols) {
  const walk order({&e, 1});
  return std::ranges::any_of(symbols, [&](const expr& s) { return order.place_of(s) != walk::nowhere; });
}

std::optional<unsigned> polynomial_degree(const expr& e, std::span<const expr> symbols) {
  const walk order({&e, 1});
  std::vector<degree> found(order.size());
  const std::vector<char> is_among = which_are_among(order, symbols);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::span<const expr> operands = order[i].operands();
    if (operands.empty()) {
      found[i] = is_among[i] != 0 ? 1 : 0;
      continue;
    }
    degree of_operands[2];
    for (std::size_t k = 0; k < operands.size(); ++k) of_operands[k] = found[order.place_of(operands[k])];
    const std::span<const degree> known(of_operands, operands.size());
    const bool is_free = std::ranges::all_of(known, [](const degree& d) { return d == degree(0); });
    found[i] = is_free ? degree(0) : degree_of(order[i], known);
  }
  return found.back();
}

bool is_polynomial(const expr& e, std::span<const expr> symbols, unsigned degree) {
  const std::optional<unsigned> found = polynomial_degree(e, symbols);
  return found && *found <= degree;
}

namespace {

// Whether a root or an inverse undoes what it stands over, and has pieces: √(u²) is |u|, acos(cos u) a zigzag.
bool undoes(const expr& e) {
  const expr& inner = e.operands().front();
  switch (e.op()) {
    case operation::acos:
    case operation::asin: return inner.op() == operation::cos || inner.op() == operation::sin;
    case operation::atan: return inner.op() == operation::tan;
    case operation::sqrt:
    case operation::power: break;
    default: return false;
  }
  if (inner.op() != operation::power || !inner.operands()[1].is_number()) return false;
  const expr& outer = e.op() == operation::sqrt ? expr(rational(1, 2)) : e.operands()[1];
  if (!outer.is_number()) return true;
  const rational power = inner.operands()[1].number(), whole = power * outer.number();
  const auto is_even = [](const rational& x) { return denominator(x) == 1 && numerator(x) % 2 == 0; };
  return is_even(power) && !is_even(whole);
}

}  // namespace

namespace {

bool is_pieced(operation op) {
  switch (op) {
    case operation::abs:
    case operation::sign:
    case operation::atan2:
    case operation::step:
    case operation::floor:
    case operation::where:
    case operation::lookup: return true;
    default: return false;
  }
}

}  // namespace

bool is_smooth_in(const expr& e, std::span<const expr> symbols) { return are_smooth_in({&e, 1}, symbols); }

bool are_smooth_in(std::span<const expr> all, std::span<const expr> symbols) {
  const walk order(all);
  std::vector<char> varies = which_are_among(order, symbols);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const expr& operand : order[i].operands()) varies[i] |= varies[order.place_of(operand)];
    const operation op = order[i].op();
    const bool has_pieces = is_pieced(op) || (!order[i].operands().empty() && undoes(order[i]));
    if (has_pieces && varies[i] != 0) return false;
  }
  return true;
}

}  // namespace actio
