#include "actio/discrete/newton_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "actio/mechanics/lagrangian_jet.hpp"
#include "actio/program/program_builder.hpp"

namespace actio {

namespace {

using value = program_builder::value;
using entry = std::optional<value>;  // nothing: zero

// Sums and products in which zeros cost nothing.
class arithmetic {
 public:
  explicit arithmetic(program_builder& builder) : build(builder) {}

  entry add(const entry& a, const entry& b) { return a && b ? build.add(*a, *b) : a ? a : b; }
  entry subtract(const entry& a, const entry& b) {
    if (!b) return a;
    return a ? build.subtract(*a, *b) : build.apply(operation::negate, *b);
  }
  entry multiply(const entry& a, const entry& b) { return a && b ? entry(build.multiply(*a, *b)) : entry(); }
  entry divide(const entry& a, value b) { return a ? entry(build.divide(*a, b)) : entry(); }
  entry scaled(double factor, const entry& a) {
    if (factor == 0 || !a) return {};
    if (factor == 1) return a;
    if (factor == -1) return build.apply(operation::negate, *a);
    return build.multiply(build.number(rational(factor)), *a);
  }

  program_builder& build;
};

// Σ c_j x_j with coefficients that keep the remainders of their rounding: the small terms come first.
class split_sum {
 public:
  split_sum(arithmetic& a, const split_coefficients<double>& coefficients) : a_(a), c_(coefficients) {}

  template <class Terms>
  entry operator()(std::size_t row, std::size_t first, std::size_t count, Terms&& term, entry start = {}) {
    for (std::size_t j = 0; j < count; ++j) start = a_.add(start, a_.scaled(c_.tail(row, first + j), term(j)));
    for (std::size_t j = 0; j < count; ++j) start = a_.add(start, a_.scaled(c_.head(row, first + j), term(j)));
    return start;
  }

 private:
  arithmetic& a_;
  const split_coefficients<double>& c_;
};

// What is known at one node.
struct node_values {
  std::vector<entry> force, excess;  // G, and P − p_0
  std::vector<std::vector<entry>> blocks[4];
  entry power;
};

using square = std::vector<std::vector<entry>>;

class newton_writer {
 public:
  newton_writer(const lagrangian_system& system, const galerkin_tableau<double>& tableau, parameter_role role)
      : system_(system),
        tableau_(tableau),
        layout_{system.size(), tableau.degree, role == parameter_role::variable ? system.parameters.size() : 0},
        parameters_(system.parameter_symbols()),
        jet_(expressions_of(system)),
        build_(parameters_.size() - layout_.varied + 1, layout_.variables()),
        a_(build_),
        step_(build_.parameter(parameters_.size() - layout_.varied)) {}

  program written() {
    for (std::size_t i = 0; i < tableau_.points; ++i) nodes_.push_back(at_node(i));
    std::vector<entry> update = residual();
    solve(jacobian(), update);
    std::vector<value> outputs;
    const auto put = [&](const entry& e) { outputs.push_back(e ? *e : build_.number(0)); };
    for (const entry& e : update) put(e);
    for (std::size_t a = 0; a < layout_.n; ++a) put(weighted(a));
    for (std::size_t a = 0; a < layout_.n; ++a) put(change_of_increment(a, update));
    entry work;
    for (std::size_t i = 0; i < nodes_.size(); ++i) work = a_.add(work, a_.scaled(tableau_.weight[i], nodes_[i].power));
    put(a_.multiply(step_, work));
    return build_.finish(outputs);
  }

 private:
  value unknown(std::size_t k, std::size_t a) const {  // k = 1 … s
    return build_.variable(layout_.unknowns() + (k - 1) * layout_.n + a);
  }

  node_values at_node(std::size_t i) {
    expr_map<value> symbols;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const bool varies = layout_.varied > 0;
      symbols.emplace(parameters_[k], varies ? build_.variable(layout_.parameters() + k) : build_.parameter(k));
    }
    const value node = build_.number(rational(tableau_.node[i]));
    symbols.emplace(time_symbol(), build_.add(build_.variable(layout_.time()), build_.multiply(node, step_)));
    const std::vector<expr> v = system_.velocities();
    split_sum position(a_, tableau_.value), slope(a_, tableau_.slope);
    for (std::size_t a = 0; a < layout_.n; ++a) {
      const auto z = [&](std::size_t j) { return entry(unknown(j + 1, a)); };
      const entry dq = position(i, 1, layout_.s, z, build_.variable(layout_.position_remainder() + a));
      symbols.emplace(system_.coordinates[a], build_.add(build_.variable(layout_.position() + a), *dq));
      symbols.emplace(v[a], build_.divide(*slope(i, 1, layout_.s, z), step_));
    }
    node_values result;
    const auto values_of = [&](const std::vector<expr>& expressions) {
      std::vector<entry> entries;
      const std::vector<value> values = build_.evaluate(expressions, symbols);
      for (std::size_t k = 0; k < values.size(); ++k) {
        entries.push_back(expressions[k].is_zero() ? entry() : entry(values[k]));
      }
      return entries;
    };
    result.force = values_of(jet_.force);
    result.excess = values_of(jet_.momentum);
    for (std::size_t a = 0; a < layout_.n; ++a) {
      const entry excess = a_.subtract(result.excess[a], build_.variable(layout_.momentum() + a));
      result.excess[a] = a_.subtract(excess, build_.variable(layout_.momentum_remainder() + a));
    }
    result.power = values_of({jet_.power}).front();
    std::vector<expr> expressions;
    for (const auto& e : jet_.entries) expressions.push_back(e.value);
    const std::vector<entry> values = values_of(expressions);
    for (auto& block : result.blocks) block.assign(layout_.n, std::vector<entry>(layout_.n));
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto& e = jet_.entries[k];
      result.blocks[static_cast<int>(e.block)][e.row][e.column] = values[k];
    }
    return result;
  }

  // h R, so that nothing is divided by h.
  std::vector<entry> residual() {
    std::vector<entry> r;
    split_sum value_sum(a_, tableau_.weighted_value), slope_sum(a_, tableau_.weighted_slope);
    for (std::size_t k = 0; k < layout_.s; ++k) {
      for (std::size_t a = 0; a < layout_.n; ++a) {
        const entry force = value_sum(k, 0, nodes_.size(), [&](std::size_t i) { return nodes_[i].force[a]; });
        const entry excess = slope_sum(k, 0, nodes_.size(), [&](std::size_t i) { return nodes_[i].excess[a]; });
        r.push_back(a_.multiply(step_, a_.add(a_.multiply(step_, force), excess)));
      }
    }
    return r;
  }

  // h ∂R/∂z: h² φφ G_q + h (φφ' G_v + φ'φ P_q) + φ'φ' P_v, each weighted with b.
  square jacobian() {
    const std::size_t n = layout_.n, s = layout_.s;
    const matrix<double>&value = tableau_.value.head, &slope = tableau_.slope.head;
    const program_builder::value h_squared = build_.multiply(step_, step_);
    square J(s * n, std::vector<entry>(s * n));
    for (std::size_t k = 0; k < s; ++k) {
      for (std::size_t l = 1; l <= s; ++l) {
        for (std::size_t a = 0; a < n; ++a) {
          for (std::size_t b = 0; b < n; ++b) {
            entry sums[4];
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
              const double w = tableau_.weight[i];
              const double factors[4] = {w * value(i, k) * value(i, l), w * value(i, k) * slope(i, l),
                                         w * slope(i, k) * value(i, l), w * slope(i, k) * slope(i, l)};
              for (int block = 0; block < 4; ++block) {
                sums[block] = a_.add(sums[block], a_.scaled(factors[block], nodes_[i].blocks[block][a][b]));
              }
            }
            const entry mixed = a_.multiply(step_, a_.add(sums[1], sums[2]));
            J[k * n + a][(l - 1) * n + b] = a_.add(a_.add(a_.multiply(h_squared, sums[0]), mixed), sums[3]);
          }
        }
      }
    }
    return J;
  }

  // The order in which slots give pivots: that of elimination with row exchanges where h is short, J ≈ (Σ b φ'_k φ'_l)
  // M.
  std::vector<std::size_t> slot_order() const {
    const std::size_t s = layout_.s;
    matrix<double> D(s, s);
    for (std::size_t k = 0; k < s; ++k) {
      for (std::size_t l = 1; l <= s; ++l) {
        for (std::size_t i = 0; i < tableau_.points; ++i) {
          D(k, l - 1) += tableau_.weight[i] * tableau_.slope.head(i, k) * tableau_.slope.head(i, l);
        }
      }
    }
    std::vector<std::size_t> order(s);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t k = 0; k < s; ++k) {
      std::size_t best = k;
      for (std::size_t i = k + 1; i < s; ++i) {
        if (std::abs(D(order[i], k)) > std::abs(D(order[best], k))) best = i;
      }
      std::swap(order[k], order[best]);
      for (std::size_t i = k + 1; i < s; ++i) {
        const double factor = D(order[i], k) / D(order[k], k);
        for (std::size_t j = k; j < s; ++j) D(order[i], j) -= factor * D(order[k], j);
      }
    }
    return order;
  }

  // J x = r, x written over r.
  void solve(square J, std::vector<entry>& r) {
    const std::size_t n = layout_.n, size = r.size();
    const std::vector<std::size_t> order = slot_order();
    square rows;
    std::vector<entry> right;
    for (const std::size_t k : order) {
      for (std::size_t a = 0; a < n; ++a) {
        rows.push_back(J[k * n + a]);
        right.push_back(r[k * n + a]);
      }
    }
    std::vector<value> inverse_pivot;
    for (std::size_t c = 0; c < size; ++c) {
      inverse_pivot.push_back(build_.divide(build_.number(1), rows[c][c] ? *rows[c][c] : build_.number(0)));
      for (std::size_t i = c + 1; i < size; ++i) {
        if (!rows[i][c]) continue;
        const entry factor = a_.multiply(rows[i][c], inverse_pivot[c]);
        for (std::size_t j = c + 1; j < size; ++j)
          rows[i][j] = a_.subtract(rows[i][j], a_.multiply(factor, rows[c][j]));
        right[i] = a_.subtract(right[i], a_.multiply(factor, right[c]));
      }
    }
    for (std::size_t c = size; c-- > 0;) {
      for (std::size_t j = c + 1; j < size; ++j) right[c] = a_.subtract(right[c], a_.multiply(rows[c][j], right[j]));
      right[c] = a_.multiply(right[c], inverse_pivot[c]);
    }
    r = std::move(right);
  }

  // h Σ b_i G_i
  entry weighted(std::size_t a) {
    split_sum sum(a_, tableau_.weights);
    return a_.multiply(step_, sum(0, 0, nodes_.size(), [&](std::size_t i) { return nodes_[i].force[a]; }));
  }

  // −Σ b_i (h G_q Σ φ_l δ_l + G_v Σ φ'_l δ_l)
  entry change_of_increment(std::size_t a, const std::vector<entry>& update) {
    entry sum;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (std::size_t b = 0; b < layout_.n; ++b) {
        const entry G_q = nodes_[i].blocks[static_cast<int>(jet_block::force_q)][a][b];
        const entry G_v = nodes_[i].blocks[static_cast<int>(jet_block::force_v)][a][b];
        entry dq, dv;
        for (std::size_t l = 1; l <= layout_.s; ++l) {
          const entry& delta = update[(l - 1) * layout_.n + b];
          if (G_q) dq = a_.add(dq, a_.scaled(tableau_.weight[i] * tableau_.value.head(i, l), delta));
          if (G_v) dv = a_.add(dv, a_.scaled(tableau_.weight[i] * tableau_.slope.head(i, l), delta));
        }
        sum = a_.add(sum, a_.add(a_.multiply(step_, a_.multiply(G_q, dq)), a_.multiply(G_v, dv)));
      }
    }
    return a_.subtract({}, sum);
  }

  const lagrangian_system& system_;
  const galerkin_tableau<double>& tableau_;
  newton_layout layout_;
  std::vector<expr> parameters_;
  jet_expressions jet_;
  program_builder build_;
  arithmetic a_;
  value step_;
  std::vector<node_values> nodes_;
};

}  // namespace

program newton_program(const lagrangian_system& system, const galerkin_tableau<double>& tableau, parameter_role role) {
  return newton_writer(system, tableau, role).written();
}

}  // namespace actio
