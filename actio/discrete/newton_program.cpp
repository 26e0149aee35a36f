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

// From the jet at one point, zeros left out: force, excess of momentum and power, in this order.
template <class Symbols, class Momentum>
std::vector<value> first_derivatives(program_builder& build, const jet_expressions& jet, const Symbols& symbols,
                                     Momentum&& subtract_momentum) {
  std::vector<value> values;
  const auto put = [&](const expr& e) {
    if (!e.is_zero()) values.push_back(build.evaluate({&e, 1}, symbols).front());
  };
  for (const expr& e : jet.force) put(e);
  const std::vector<value> momenta = build.evaluate(jet.momentum, symbols);
  for (std::size_t a = 0; a < momenta.size(); ++a) values.push_back(subtract_momentum(a, momenta[a]));
  put(jet.power);
  return values;
}

// The same values put back to where they belong; `next` gives them one after the other.
template <class Next>
void place_first(node_values& node, const jet_expressions& jet, Next&& next) {
  for (const expr& e : jet.force) node.force.push_back(e.is_zero() ? entry() : entry(next()));
  for (std::size_t a = 0; a < jet.force.size(); ++a) node.excess.push_back(next());
  if (!jet.power.is_zero()) node.power = next();
}

template <class Of>
void place_second(node_values& node, const jet_expressions& jet, Of&& of) {
  const std::size_t n = jet.force.size();
  for (auto& block : node.blocks) block.assign(n, std::vector<entry>(n));
  for (const auto& e : jet.entries) {
    if (!e.value.is_zero()) node.blocks[static_cast<int>(e.block)][e.row][e.column] = of(e.value);
  }
}

// What is linear in an update: Newton's equations, eliminated, and how the momentum increment changes.
struct linear_part {
  std::vector<square> inverses;  // of the pivots, pairs but for the last
  entry scale;                   // of the equations of the last pivot
  square rows;                   // right of the pivots what is left there, left of them the factors of their rows
  square increment;              // n × unknowns
};

// Newton's update from what is known at the nodes.
class newton_equations {
 public:
  newton_equations(program_builder& builder, const galerkin_tableau<double>& tableau, std::size_t coordinates,
                   value step, std::vector<node_values> nodes)
      : tableau_(tableau),
        n_(coordinates),
        s_(tableau.degree),
        build_(builder),
        a_(builder),
        step_(step),
        nodes_(std::move(nodes)) {}

  // From the second derivatives.
  linear_part linearised() {
    linear_part linear = eliminated(jacobian());
    for (std::size_t a = 0; a < n_; ++a) linear.increment.push_back(increment_slopes(a));
    return linear;
  }

  // From the first derivatives: the outputs of newton_layout.
  program solved(const linear_part& linear) {
    const std::vector<entry> update = substituted(linear, residual());
    std::vector<value> outputs;
    const auto put = [&](const entry& e) { outputs.push_back(e ? *e : build_.number(0)); };
    for (const entry& e : update) put(e);
    for (std::size_t a = 0; a < n_; ++a) put(weighted(a));
    for (std::size_t a = 0; a < n_; ++a) {
      entry change;
      for (std::size_t j = 0; j < update.size(); ++j) {
        change = a_.subtract(change, a_.multiply(linear.increment[a][j], update[j]));
      }
      put(change);
    }
    entry work;
    for (std::size_t i = 0; i < nodes_.size(); ++i) work = a_.add(work, a_.scaled(tableau_.weight[i], nodes_[i].power));
    put(a_.multiply(step_, work));
    return build_.finish(outputs);
  }

 private:
  std::vector<entry> residual() {
    std::vector<entry> r;
    split_sum value_sum(a_, tableau_.weighted_value), slope_sum(a_, tableau_.weighted_slope);
    for (std::size_t k = 0; k < s_; ++k) {
      for (std::size_t a = 0; a < n_; ++a) {
        const entry force = value_sum(k, 0, nodes_.size(), [&](std::size_t i) { return nodes_[i].force[a]; });
        const entry excess = slope_sum(k, 0, nodes_.size(), [&](std::size_t i) { return nodes_[i].excess[a]; });
        r.push_back(a_.add(a_.multiply(step_, force), excess));
      }
    }
    return r;
  }

  // ∂R/∂z: h φφ G_q + φφ' G_v + φ'φ P_q + φ'φ' P_v / h, each weighted with b.
  square jacobian() {
    const std::size_t n = n_, s = s_;
    square J(s * n, std::vector<entry>(s * n));
    for (std::size_t k = 0; k < s; ++k) {
      for (std::size_t l = 1; l <= s; ++l) {
        for (std::size_t a = 0; a < n; ++a) {
          for (std::size_t b = 0; b < n; ++b) J[k * n + a][(l - 1) * n + b] = linear_sum(k, l, a, b);
        }
      }
    }
    return J;
  }

  // What a second derivative at node i contributes to the equations linearised, but for h. The last test function is 1,
  // and its equation, that of the momentum increment, has no part of the momentum.
  double linear_coefficient(jet_block block, std::size_t test, std::size_t trial, std::size_t i) const {
    const matrix<double>&value = tableau_.value.head, &slope = tableau_.slope.head;
    const bool of_force = block == jet_block::force_q || block == jet_block::force_v;
    const bool by_position = block == jet_block::force_q || block == jet_block::momentum_q;
    if (test == s_ && !of_force) return 0;
    const double weight = test == s_ ? 1 : of_force ? value(i, test) : slope(i, test);
    return tableau_.weight[i] * weight * (by_position ? value : slope)(i, trial);
  }

  // Coefficients are numbers before a step begins. P_v comes first, so that coordinates (a, b) and (b, a) share its
  // sum.
  entry linear_sum(std::size_t test, std::size_t trial, std::size_t a, std::size_t b) {
    const value one = build_.number(1), per_step = build_.divide(one, step_);
    entry sum;
    for (const auto& [block, power_of_step] :
         {std::pair{jet_block::momentum_v, per_step}, std::pair{jet_block::force_q, step_},
          std::pair{jet_block::force_v, one}, std::pair{jet_block::momentum_q, one}}) {
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const double weight = linear_coefficient(block, test, trial, i);
        if (weight == 0) continue;
        const value coefficient = build_.multiply(build_.number(rational(weight)), power_of_step);
        sum = a_.add(sum, a_.multiply(coefficient, nodes_[i].blocks[static_cast<int>(block)][a][b]));
      }
    }
    return sum;
  }

  // The order in which slots give pivots: that of elimination with row exchanges where h is short, J ≈ (Σ b φ'_k φ'_l)
  // M.
  std::vector<std::size_t> slot_order() const {
    const std::size_t s = s_;
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

  // Coordinate by coordinate, so that those that are coupled to few others stay so; pivots are taken by pairs, whose
  // inverse needs one division. The last pivot does not wait for that of the pivot before: its equations are multiplied
  // with the determinant instead.
  linear_part eliminated(const square& J) {
    const std::size_t size = s_ * n_;
    linear_part result;
    square& rows = result.rows;
    for (std::size_t a = 0; a < n_; ++a) {
      for (const std::size_t k : slot_order()) {
        std::vector<entry>& row = rows.emplace_back();
        for (std::size_t b = 0; b < n_; ++b) {
          for (std::size_t l = 0; l < s_; ++l) row.push_back(J[k * n_ + a][l * n_ + b]);
        }
      }
    }
    for (std::size_t c = 0; c < size; c += 2) {
      const std::size_t width = std::min<std::size_t>(2, size - c), below = c + width;
      const pivot here = width == 1 ? pivot_of_one(rows[c][c]) : pivot_of_pair(rows, c);
      const square inverse = inverse_of(here);
      for (std::size_t a = 0; a < width; ++a) {
        for (std::size_t b = 0; b < width; ++b) rows[c + a][c + b] = {};
      }
      const bool is_next_to_last = below < size && size <= below + 2;
      if (is_next_to_last) result.scale = here.determinant;
      for (std::size_t i = below; i < size; ++i) {
        const square& columns = is_next_to_last ? here.adjugate : inverse;
        std::vector<entry> factors(width);  // of the rows of the pivot in row i
        for (std::size_t a = 0; a < width; ++a) {
          for (std::size_t b = 0; b < width; ++b) {
            factors[a] = a_.add(factors[a], a_.multiply(rows[i][c + b], columns[b][a]));
          }
        }
        for (std::size_t j = below; j < size; ++j) {
          if (is_next_to_last) rows[i][j] = a_.multiply(here.determinant, rows[i][j]);
          for (std::size_t a = 0; a < width; ++a) {
            rows[i][j] = a_.subtract(rows[i][j], a_.multiply(factors[a], rows[c + a][j]));
          }
        }
        std::copy(factors.begin(), factors.end(), rows[i].begin() + static_cast<std::ptrdiff_t>(c));
      }
      result.inverses.push_back(inverse);
    }
    return result;
  }

  // x of J x = r.
  std::vector<entry> substituted(const linear_part& linear, const std::vector<entry>& r) {
    const std::size_t size = r.size();
    const square& rows = linear.rows;
    std::vector<entry> x;
    for (std::size_t a = 0; a < n_; ++a) {
      for (const std::size_t k : slot_order()) x.push_back(r[k * n_ + a]);
    }
    const std::size_t last = 2 * (linear.inverses.size() - 1);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t pivot = i - i % 2;
      const auto subtract_up_to = [&](std::size_t from, std::size_t to) {
        for (std::size_t j = from; j < to; ++j) x[i] = a_.subtract(x[i], a_.multiply(rows[i][j], x[j]));
      };
      if (pivot < last || !linear.scale) {
        subtract_up_to(0, pivot);
      } else {
        subtract_up_to(0, pivot - 2);
        x[i] = a_.multiply(linear.scale, x[i]);
        subtract_up_to(pivot - 2, pivot);
      }
    }
    for (std::size_t pivot = linear.inverses.size(); pivot-- > 0;) {
      const square& inverse = linear.inverses[pivot];
      const std::size_t c = 2 * pivot, width = inverse.size();
      std::vector<entry> known(width);
      for (std::size_t a = 0; a < width; ++a) {
        known[a] = x[c + a];
        for (std::size_t j = c + width; j < size; ++j) {
          known[a] = a_.subtract(known[a], a_.multiply(rows[c + a][j], x[j]));
        }
      }
      for (std::size_t a = 0; a < width; ++a) {
        x[c + a] = {};
        for (std::size_t b = 0; b < width; ++b) x[c + a] = a_.add(x[c + a], a_.multiply(inverse[a][b], known[b]));
      }
    }
    std::vector<entry> by_slots(size);
    for (std::size_t b = 0; b < n_; ++b) {
      for (std::size_t l = 0; l < s_; ++l) by_slots[l * n_ + b] = x[b * s_ + l];
    }
    return by_slots;
  }

  struct pivot {
    entry determinant;
    square adjugate;
    bool is_diagonal;
  };

  pivot pivot_of_one(const entry& x) { return {x, {{build_.number(1)}}, false}; }

  // Of rows and columns c and c + 1.
  pivot pivot_of_pair(const square& rows, std::size_t c) {
    const entry &p = rows[c][c], &q = rows[c][c + 1], &r = rows[c + 1][c], &s = rows[c + 1][c + 1];
    return {a_.subtract(a_.multiply(p, s), a_.multiply(q, r)),
            {{s, a_.subtract({}, q)}, {a_.subtract({}, r), p}},
            !q && !r};
  }

  entry reciprocal(const entry& x) { return build_.divide(build_.number(1), x ? *x : build_.number(0)); }

  square inverse_of(const pivot& p) {
    const square& A = p.adjugate;
    if (p.is_diagonal) return {{reciprocal(A[1][1]), {}}, {{}, reciprocal(A[0][0])}};
    const entry per = reciprocal(p.determinant);
    square inverse = A;
    for (auto& row : inverse) {
      for (entry& e : row) e = a_.multiply(e, per);
    }
    return inverse;
  }

  // h Σ b_i G_i
  entry weighted(std::size_t a) {
    split_sum sum(a_, tableau_.weights);
    return a_.multiply(step_, sum(0, 0, nodes_.size(), [&](std::size_t i) { return nodes_[i].force[a]; }));
  }

  // How h Σ b_i G_i changes with the unknowns.
  std::vector<entry> increment_slopes(std::size_t a) {
    std::vector<entry> slopes;
    for (std::size_t l = 1; l <= s_; ++l) {
      for (std::size_t b = 0; b < n_; ++b) slopes.push_back(linear_sum(s_, l, a, b));
    }
    return slopes;
  }

  const galerkin_tableau<double>& tableau_;
  std::size_t n_, s_;
  program_builder& build_;
  arithmetic a_;
  value step_;
  std::vector<node_values> nodes_;
};

}  // namespace

program newton_program(const system_code& code, const galerkin_tableau<double>& tableau, parameter_role role) {
  const lagrangian_system& system = code.system();
  const std::vector<expr> parameters = system.parameter_symbols(), v = system.velocities();
  const newton_layout at{system.size(), tableau.degree, role == parameter_role::variable ? parameters.size() : 0};
  program_builder build(parameters.size() - at.varied, at.variables());
  arithmetic a(build);
  const value step = build.variable(at.step()), per_step = build.divide(build.number(1), step);
  const jet_expressions& jet = expressions_of(code);
  std::vector<node_values> nodes;
  for (std::size_t i = 0; i < tableau.points; ++i) {
    expr_map<value> symbols;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      symbols.emplace(parameters[k], at.varied > 0 ? build.variable(at.parameters() + k) : build.parameter(k));
    }
    const value node = build.number(rational(tableau.node[i]));
    symbols.emplace(time_symbol(), build.add(build.variable(at.time()), build.multiply(node, step)));
    split_sum position(a, tableau.value), slope(a, tableau.slope);
    for (std::size_t c = 0; c < at.n; ++c) {
      const auto z = [&](std::size_t j) { return entry(build.variable(at.unknowns() + j * at.n + c)); };
      const entry dq = position(i, 1, at.s, z, build.variable(at.position_remainder() + c));
      symbols.emplace(system.coordinates[c], build.add(build.variable(at.position() + c), *dq));
      symbols.emplace(v[c], build.multiply(*slope(i, 1, at.s, z), per_step));
    }
    const std::vector<value> first = first_derivatives(build, jet, symbols, [&](std::size_t c, value P) {
      return build.subtract(build.subtract(P, build.variable(at.momentum() + c)),
                            build.variable(at.momentum_remainder() + c));
    });
    std::size_t k = 0;
    node_values& here = nodes.emplace_back();
    place_first(here, jet, [&] { return first[k++]; });
    place_second(here, jet, [&](const expr& e) { return build.evaluate({&e, 1}, symbols).front(); });
  }
  newton_equations equations(build, tableau, at.n, step, std::move(nodes));
  return equations.solved(equations.linearised());
}

namespace {

newton_code make_newton_code(const system_code& source, const galerkin_tableau<double>& tableau) {
  const lagrangian_system& system = source.system();
  const std::size_t n = system.size();
  const std::vector<expr> parameters = system.parameter_symbols(), v = system.velocities();
  const jet_expressions& jet = expressions_of(source);
  newton_code code{.coordinates = n, .degree = tableau.degree, .points = tableau.points};
  code.values_are_exact = std::ranges::all_of(tableau.value.tail.data(), [](double x) { return x == 0; });

  program_builder at_nodes(parameters.size(), code.node_variables());
  expr_map<value> symbols;
  for (std::size_t k = 0; k < parameters.size(); ++k) symbols.emplace(parameters[k], at_nodes.parameter(k));
  for (std::size_t a = 0; a < n; ++a) {
    symbols.emplace(system.coordinates[a], at_nodes.variable(code.position(a)));
    symbols.emplace(v[a], at_nodes.variable(code.velocity(a)));
  }
  symbols.emplace(time_symbol(), at_nodes.variable(code.time()));
  std::vector<value> values = first_derivatives(at_nodes, jet, symbols, [&](std::size_t a, value P) {
    return at_nodes.subtract(at_nodes.subtract(P, at_nodes.variable(code.momentum(a))),
                             at_nodes.variable(code.momentum_remainder(a)));
  });
  // Second derivatives that are the same everywhere are left to where they are used; equal ones stand there once.
  const auto first = static_cast<std::ptrdiff_t>(values.size());
  std::vector<std::optional<std::size_t>> second;  // where they stand
  for (const auto& e : jet.entries) {
    if (e.value.is_zero()) continue;
    const value v = at_nodes.evaluate({&e.value, 1}, symbols).front();
    if (at_nodes.is_fixed(v)) {
      second.emplace_back();
      continue;
    }
    const auto known = std::find(values.begin() + first, values.end(), v);
    second.emplace_back(known - values.begin());
    if (known == values.end()) values.push_back(v);
  }
  code.at_nodes = at_nodes.finish(values);

  program_builder update(parameters.size() + 1, values.size() * tableau.points);
  expr_map<value> constants;
  for (std::size_t k = 0; k < parameters.size(); ++k) constants.emplace(parameters[k], update.parameter(k));
  std::vector<node_values> nodes(tableau.points);
  for (std::size_t i = 0; i < tableau.points; ++i) {
    std::size_t read = 0, k = 0;
    const auto at_node = [&](std::size_t which) { return update.variable(tableau.points * which + i); };
    place_first(nodes[i], jet, [&] { return at_node(read++); });
    place_second(nodes[i], jet, [&](const expr& e) {
      const std::optional<std::size_t>& which = second[k++];
      return which ? at_node(*which) : update.evaluate({&e, 1}, constants).front();
    });
  }
  newton_equations equations(update, tableau, n, update.parameter(parameters.size()), std::move(nodes));
  code.update = equations.solved(equations.linearised());
  return code;
}

}  // namespace

const newton_code& newton_code_of(const system_code& code, const galerkin_scheme& scheme) {
  return *code.piece<newton_code>(key_of(scheme), [&] { return make_newton_code(code, make_tableau<double>(scheme)); });
}

}  // namespace actio
