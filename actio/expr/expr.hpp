// Expressions: one hash-consed, immutable DAG with exact rational constants.
//
// Equal expressions are the same node, so equality is a pointer comparison and common parts are shared by themselves.
// Building an expression simplifies it locally (0*x, x+0, x-x, numbers folded exactly, x*x to x^2, 2*x+3*x to 5*x,
// x/number to a rational factor, x^(1/2) to sqrt(x)); nothing else is rearranged. So in every node
//   - a rational factor stands at the left of its product or quotient: 2*(x*y), 3/x, never x*2, (2*x)*y or x/2;
//   - signs stand outside: -(x + y), x - y, -(x*y), -sin(x), never x + -y or sin(-x);
//   - numeric exponents are positive: 1/x^2, never x^-2.
// a+b and b+a are one node, with the operands in the order in which it was first made. Exact folding stops at numbers
// of 4096 bits; what would be larger stays an operation. Division by the number zero stays too. Expressions may be
// made, copied and dropped by many threads at once. A node knows nothing of programs, backends or mechanics. No
// function here recurses: depth is bounded by memory, not by the stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

// clang-format off
enum class operation : std::uint8_t {
  number, pi, symbol,                                                                    // leaves
  negate, sqrt, exp, log, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, abs, sign,  // one operand
  add, subtract, multiply, divide, power, atan2,                                         // two operands
  table,                                                                                 // a leaf: samples
  step, floor, log1p, expm1, erf, negation,                                              // one operand
  hypot, jn, where, both, lookup,                                                        // two operands
};
// clang-format on
//   step(x) is 1 where x ≥ 0, otherwise 0: the condition x ≥ 0. Conditions are 0 or 1; `negation` and `both` join them.
//   where(c, x) is x where the condition c holds, otherwise 0, whatever x is there: infinite or no number.
//   jn(n, x) is the Bessel function J_n of a whole number n ≥ 0; lookup(table, x) a signal at x (sample_table.hpp).

// 0 for leaves, 1 or 2 otherwise.
int operand_count(operation op);
// "sin", "atan2", ... for functions; "+", "^", ... for operators.
std::string_view name_of(operation op);

class sample_table;
// Samples of a signal as a leaf: the signal itself, or its derivative of the given order.
struct signal_part {
  std::shared_ptr<const sample_table> samples;
  unsigned order = 0;
};

class expr {
 public:
  expr();                 // the number 0
  expr(int value);        // NOLINT(google-explicit-constructor): 2*x must read naturally
  expr(long long value);  // NOLINT(google-explicit-constructor)
  expr(double value);     // NOLINT(google-explicit-constructor): exactly this binary number, or
                          // input_error("bad-number") when it is not finite
  explicit expr(const rational& value);
  expr(const expr& other) noexcept;
  expr(expr&& other) noexcept;
  expr& operator=(const expr& other) noexcept;
  expr& operator=(expr&& other) noexcept;
  ~expr();

  static expr pi();
  static expr symbol(std::string_view name);                       // the same name is the same symbol
  static expr make(operation op, std::span<const expr> operands);  // simplified, like the operators below
  // The signal's derivative of this order at x; 0 where it has none left. Equal samples are the same leaf.
  static expr signal(const std::shared_ptr<const sample_table>& samples, const expr& x, unsigned order = 0);

  operation op() const;
  std::span<const expr> operands() const;
  const rational& number() const;   // of a number node
  const std::string& name() const;  // of a symbol node
  const signal_part& part() const;  // of a table node
  bool is_number() const { return op() == operation::number; }
  bool is_zero() const;
  bool is_one() const;
  const void* id() const { return node_; }  // equal ids: equal expressions

  friend bool operator==(const expr& a, const expr& b) { return a.node_ == b.node_; }

 private:
  friend class simplifier;
  friend std::size_t expr_pool_size();
  struct node;
  class pool;
  explicit expr(node* owned) noexcept : node_(owned) {}
  node* node_;
};

}  // namespace actio

template <>
struct std::hash<actio::expr> {
  std::size_t operator()(const actio::expr& e) const noexcept { return std::hash<const void*>()(e.id()); }
};

namespace actio {

template <class Value>
using expr_map = std::unordered_map<expr, Value>;

expr operator+(const expr& a, const expr& b);
expr operator-(const expr& a, const expr& b);
expr operator*(const expr& a, const expr& b);
expr operator/(const expr& a, const expr& b);
expr operator-(const expr& a);
inline expr operator+(const expr& a) { return a; }
inline expr& operator+=(expr& a, const expr& b) { return a = a + b; }
inline expr& operator-=(expr& a, const expr& b) { return a = a - b; }
inline expr& operator*=(expr& a, const expr& b) { return a = a * b; }
inline expr& operator/=(expr& a, const expr& b) { return a = a / b; }
expr pow(const expr& base, const expr& exponent);
expr sqrt(const expr& x);
expr exp(const expr& x);
expr log(const expr& x);
expr sin(const expr& x);
expr cos(const expr& x);
expr tan(const expr& x);
expr asin(const expr& x);
expr acos(const expr& x);
expr atan(const expr& x);
expr atan2(const expr& y, const expr& x);
expr sinh(const expr& x);
expr cosh(const expr& x);
expr tanh(const expr& x);
expr abs(const expr& x);
expr sign(const expr& x);  // 0 at 0
expr step(const expr& x);  // 1 at 0
expr floor(const expr& x);
expr log1p(const expr& x);  // log(1 + x)
expr expm1(const expr& x);  // exp(x) − 1
expr erf(const expr& x);
expr hypot(const expr& x, const expr& y);  // √(x² + y²), which overflows only where it is too large itself
expr jn(unsigned n, const expr& x);

// The exact value of a decimal literal such as "9.81" or "6.02e23"; a sign may stand before it. Throws input_error
// without a place: bad-number, or number-out-of-range beyond an exponent of ±1000 or 10000 digits.
expr decimal(std::string_view text);

// The nodes under `roots`, each once, operands before the nodes that use them; the order depends on the DAG alone.
std::vector<expr> topological_order(std::span<const expr> roots);

// The symbols under `roots`, in order of first appearance.
std::vector<expr> symbols_in(std::span<const expr> roots);
bool depends_on(const expr& e, const expr& symbol);

// Replaces symbols simultaneously.
expr substitute(const expr& e, const expr_map<expr>& replacements);
std::vector<expr> substitute(std::span<const expr> es, const expr_map<expr>& replacements);

// How many nodes live in this process: it shows that dropped expressions are freed.
std::size_t expr_pool_size();

}  // namespace actio
