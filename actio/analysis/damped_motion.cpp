#include "actio/analysis/damped_motion.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "actio/backend/evaluate.hpp"
#include "actio/base/dense.hpp"
#include "actio/mechanics/linear_table.hpp"

namespace actio {

namespace {

using terms = std::vector<time_term>;

constexpr std::size_t most_terms = 256;
constexpr unsigned highest_power = 32;

terms scaled(terms all, const expr& factor) {
  for (time_term& one : all) {
    one.cosine *= factor;
    one.sine *= factor;
  }
  return all;
}

terms sum(terms a, const terms& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// By cos a cos b = (cos(a − b) + cos(a + b))/2 and its kin.
terms product(const terms& a, const terms& b) {
  terms result;
  for (const time_term& x : a) {
    for (const time_term& y : b) {
      const unsigned power = x.power + y.power;
      const expr growth = x.growth + y.growth;
      if (y.frequency.is_zero()) {
        result.push_back({power, growth, x.frequency, x.cosine * y.cosine, x.sine * y.cosine});
      } else if (x.frequency.is_zero()) {
        result.push_back({power, growth, y.frequency, y.cosine * x.cosine, y.sine * x.cosine});
      } else {
        const expr cc = x.cosine * y.cosine, ss = x.sine * y.sine, sc = x.sine * y.cosine, cs = x.cosine * y.sine;
        result.push_back({power, growth, x.frequency - y.frequency, (cc + ss) / 2, (sc - cs) / 2});
        result.push_back({power, growth, x.frequency + y.frequency, (cc - ss) / 2, (sc + cs) / 2});
      }
    }
  }
  return result;
}

// u = rate·t + constant, where the terms of u say so.
struct affine {
  expr rate = 0, constant = 0;
};
std::optional<affine> affine_of(const terms& u) {
  affine result;
  for (const time_term& one : u) {
    if (!one.growth.is_zero() || !one.frequency.is_zero() || one.power > 1) return std::nullopt;
    (one.power == 1 ? result.rate : result.constant) += one.cosine;
  }
  return result;
}

std::optional<terms> power_of(const terms& base, const expr& exponent) {
  if (!exponent.is_number() || denominator(exponent.number()) != 1) return std::nullopt;
  const rational n = exponent.number();
  if (n < 1 || n > highest_power) return std::nullopt;
  terms result = base;
  for (rational k = 1; k < n; k += 1) {
    result = product(result, base);
    if (result.size() > most_terms) return std::nullopt;
  }
  return result;
}

std::optional<terms> function_of(operation op, const terms& operand) {
  const std::optional<affine> u = affine_of(operand);
  if (!u) return std::nullopt;
  const expr &w = u->rate, &c = u->constant;
  const auto exponential = [](const expr& rate, const expr& factor) { return time_term{0, rate, 0, factor, 0}; };
  switch (op) {
    case operation::exp: return terms{exponential(w, exp(c))};
    case operation::sin: return terms{{0, 0, w, sin(c), cos(c)}};
    case operation::cos: return terms{{0, 0, w, cos(c), -sin(c)}};
    case operation::sinh: return terms{exponential(w, exp(c) / 2), exponential(-w, -(exp(-c) / 2))};
    case operation::cosh: return terms{exponential(w, exp(c) / 2), exponential(-w, exp(-c) / 2)};
    default: return std::nullopt;
  }
}

std::optional<terms> combined(const expr& node, const expr_map<std::optional<terms>>& known) {
  const auto part = [&](std::size_t k) -> const std::optional<terms>& { return known.at(node.operands()[k]); };
  if (!part(0)) return std::nullopt;
  const terms& a = *part(0);
  if (operand_count(node.op()) == 1) {
    return node.op() == operation::negate ? std::optional(scaled(a, -1)) : function_of(node.op(), a);
  }
  const expr& second = node.operands()[1];
  if (node.op() == operation::power) return power_of(a, second);
  if (!part(1)) return std::nullopt;
  const terms& b = *part(1);
  switch (node.op()) {
    case operation::add: return sum(a, b);
    case operation::subtract: return sum(a, scaled(b, -1));
    case operation::multiply: return product(a, b);
    case operation::divide:
      if (depends_on(second, time_symbol())) return std::nullopt;
      return scaled(a, 1 / second);
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::vector<time_term>> time_terms_of(const expr& e) {
  expr_map<std::optional<terms>> known;
  for (const expr& node : topological_order(std::span(&e, 1))) {
    std::optional<terms> found;
    if (node == time_symbol()) found = terms{{1, 0, 0, 1, 0}};
    else if (!depends_on(node, time_symbol())) found = terms{{0, 0, 0, node, 0}};
    else found = combined(node, known);
    if (found && found->size() > most_terms) found.reset();
    known.insert_or_assign(node, std::move(found));
  }
  return known.at(e);
}

namespace {

// y' = Ay with y = (ωq, q', functions of time), ω a scale that makes both parts of A of one size.
template <class S>
class linear_flow {
 public:
  linear_flow(const model& m, const std::vector<terms>& load)
      : n_(m.system.size()), symbols_(m.system.parameter_symbols()), values_(parameter_values<S>(m.system)) {
    const linear_form& form = *m.system.linear;
    mass_ = matrix_of(form.mass);
    const matrix<S> stiffness = over_mass(matrix_of(form.stiffness));
    const matrix<S> damping = form.damping.empty() ? matrix<S>(n_, n_) : over_mass(matrix_of(form.damping));
    std::size_t size = 2 * n_;
    for (const terms& one : load) {
      for (const time_term& t : one) size += 2 * (t.power + 1);
    }
    rates_ = matrix<S>(size, size);
    start_.assign(size, S(0));
    set_scale(stiffness);
    for (std::size_t i = 0; i < n_; ++i) {
      rates_(i, n_ + i) = scale_;
      for (std::size_t j = 0; j < n_; ++j) {
        rates_(n_ + i, j) = -stiffness(i, j) / scale_;
        rates_(n_ + i, n_ + j) = -damping(i, j);
      }
    }
    add_load(load);
  }

  // From the initial data of the model.
  void start(const model& m) {
    std::vector<S> rate(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      start_[i] = scale_ * quantity_value<S>(m.system, m.initial.position[i].value);
      rate[i] = quantity_value<S>(m.system, m.initial.rates[i].value);
    }
    if (m.initial.rate == rate_kind::momentum) lu_->solve_in_place(rate);
    std::copy(rate.begin(), rate.end(), start_.begin() + static_cast<std::ptrdiff_t>(n_));
  }

  exact_point<S> at(const S& t) const {
    const std::vector<S> y = moved(t);
    exact_point<S> point;
    for (std::size_t i = 0; i < n_; ++i) point.position.push_back(y[i] / scale_);
    for (std::size_t i = 0; i < n_; ++i) {
      S p(0);
      for (std::size_t j = 0; j < n_; ++j) p += mass_(i, j) * y[n_ + j];
      point.momentum.push_back(p);
    }
    return point;
  }

 private:
  S value(const expr& e) const { return evaluate<S>(std::span(&e, 1), symbols_, values_).front(); }

  matrix<S> matrix_of(const std::vector<std::vector<named_expr>>& rows) const {
    matrix<S> a(n_, n_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) a(i, j) = value(rows[i][j].value);
    }
    return a;
  }

  matrix<S> over_mass(const matrix<S>& a) {
    if (!lu_) {
      lu_.emplace(n_);
      lu_->factorise(mass_);
    }
    matrix<S> result(n_, n_);
    std::vector<S> column(n_);
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t i = 0; i < n_; ++i) column[i] = a(i, j);
      lu_->solve_in_place(column);
      for (std::size_t i = 0; i < n_; ++i) result(i, j) = column[i];
    }
    return result;
  }

  void set_scale(const matrix<S>& stiffness) {
    using std::abs, std::sqrt;
    S largest(0);
    for (const S& x : stiffness.data()) largest = std::max<S>(largest, abs(x));
    scale_ = largest > S(0) ? S(sqrt(largest)) : S(1);
  }

  // w_j = t^j/j! e^{at} cos bt and u_j with the sine: w_j' = w_{j−1} + a w_j − b u_j, u_j' = u_{j−1} + a u_j + b w_j.
  void add_load(const std::vector<terms>& load) {
    std::size_t at = 2 * n_;
    std::vector<S> push(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (const time_term& t : load[i]) {
        const S a = value(t.growth), b = value(t.frequency);
        const std::size_t count = t.power + 1;
        S factorial(1);
        for (std::size_t j = 0; j < count; ++j) {
          const std::size_t w = at + j, u = at + count + j;
          rates_(w, w) = rates_(u, u) = a;
          rates_(w, u) = -b;
          rates_(u, w) = b;
          if (j > 0) rates_(w, w - 1) = rates_(u, u - 1) = S(1);
          if (j > 0) factorial *= S(static_cast<double>(j));
        }
        start_[at] = S(1);
        std::ranges::fill(push, S(0));
        push[i] = factorial;
        lu_->solve_in_place(push);
        const S cosine = value(t.cosine), sine = value(t.sine);
        for (std::size_t k = 0; k < n_; ++k) {
          rates_(n_ + k, at + count - 1) = push[k] * cosine;
          rates_(n_ + k, at + 2 * count - 1) = push[k] * sine;
        }
        at += 2 * count;
      }
    }
  }

  // exp(At) y(0) by scaling and squaring.
  std::vector<S> moved(const S& t) const {
    using std::abs;
    const std::size_t size = start_.size();
    S norm(0);
    for (std::size_t i = 0; i < size; ++i) {
      S row(0);
      for (std::size_t j = 0; j < size; ++j) row += abs(rates_(i, j));
      norm = std::max<S>(norm, row);
    }
    int halvings = 0;
    S part = t;
    for (S length = norm * abs(t); length > S(0.5); length /= S(2)) {
      part /= S(2);
      ++halvings;
    }
    matrix<S> X = rates_, result = matrix<S>::identity(size), term = result;
    for (S& x : X.data()) x *= part;
    for (int k = 1; k < 4096; ++k) {
      term = term * X;
      S largest(0);
      for (std::size_t m = 0; m < size * size; ++m) {
        term.data()[m] /= S(k);
        result.data()[m] += term.data()[m];
        largest = std::max<S>(largest, abs(term.data()[m]));
      }
      if (!(largest > epsilon<S>() / S(16))) break;
    }
    for (int k = 0; k < halvings; ++k) result = result * result;
    std::vector<S> y(size, S(0));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) y[i] += result(i, j) * start_[j];
    }
    return y;
  }

  std::size_t n_;
  std::vector<expr> symbols_;
  std::vector<S> values_;
  matrix<S> mass_, rates_;
  std::optional<lu_factorisation<S>> lu_;
  S scale_{1};
  std::vector<S> start_;
};

}  // namespace

template <class S>
exact_motion<S> damped_motion_of(const model& m) {
  const lagrangian_system& system = m.system;
  if (!system.linear || m.initial.rate == rate_kind::next || system.is_constrained()) return {};
  std::vector<expr> own = forces_of(*system.linear, system.coordinates), given = system.forces;
  own.resize(system.size(), expr(0));
  given.resize(system.size(), expr(0));
  if (own != given) return {};  // other forces act as well
  std::vector<terms> load(system.size());
  for (std::size_t i = 0; i < system.linear->load.size(); ++i) {
    const auto found = time_terms_of(system.linear->load[i].value);
    if (!found) return {};
    load[i] = *found;
  }
  const auto flow = std::make_shared<linear_flow<S>>(m, load);
  flow->start(m);
  return [flow](const S& t) { return flow->at(t); };
}

template exact_motion<quad> damped_motion_of(const model&);
template exact_motion<multi> damped_motion_of(const model&);

}  // namespace actio
