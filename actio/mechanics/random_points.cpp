#include "actio/mechanics/random_points.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/dense.hpp"
#include "actio/base/largest.hpp"
#include "actio/expr/branches.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/mechanics/many_digits.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

template <class S>
random_points<S>::random_points(const lagrangian_system& system, std::span<const expr> outputs,
                                std::span<const expr> signs)
    : variables_(system.coordinates), signs_(signs.size()) {
  const std::vector<expr> velocities = system.velocities();
  variables_.insert(variables_.end(), velocities.begin(), velocities.end());
  variables_.push_back(time_symbol());
  variables_.insert(variables_.end(), signs.begin(), signs.end());
  const std::vector<expr> everywhere = with_generic_signals(outputs);
  evaluation_ = compile<S>(lower(everywhere, system.parameter_symbols(), variables_))->evaluate_at(1);
  evaluation_->set_parameters(parameter_values<S>(system));
  in_.resize(variables_.size() * evaluation_->stride(), S(0));
  out_.resize(std::max<std::size_t>(1, outputs.size()) * evaluation_->stride(), S(0));
  values_.resize(outputs.size());
}

template <class S>
bool random_points<S>::draw(int tries) {
  const std::size_t stride = evaluation_->stride();
  const std::size_t moving = variables_.size() - 1 - signs_, size = moving / 2;
  S speed = 1;
  for (int k = 0; k < tries; ++k) {
    // Some Lagrangians exist for slow motion only, such as relativistic ones.
    if (k % 20 == 19) speed /= 2;
    for (std::size_t i = 0; i < variables_.size() - signs_; ++i) {
      const bool is_velocity = i >= size && i < moving;
      in_[i * stride] = number_of_order_one() * (is_velocity ? S(speed * speed_) : i < size ? size_ : S(1));
    }
    for (std::size_t i = moving + 1; i < variables_.size(); ++i) in_[i * stride] = number_of_order_one() > 0 ? 1 : -1;
    if (evaluate()) return true;
  }
  return false;
}

template <class S>
bool random_points<S>::move(std::span<const S> change) {
  for (std::size_t i = 0; i < change.size(); ++i) in_[i * evaluation_->stride()] += change[i];
  return evaluate();
}

template <class S>
bool random_points<S>::evaluate() {
  (*evaluation_)(in_.data(), out_.data());
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = out_[k * evaluation_->stride()];
  return std::all_of(values_.begin(), values_.end(), [](const S& x) { return is_finite(x); });
}

template <class S>
std::string random_points<S>::description() const {
  constexpr std::size_t most_listed = 12;
  std::string text;
  for (std::size_t k = 0; k < std::min(variables_.size(), most_listed); ++k) {
    if (k > 0) text += ", ";
    text += variables_[k].name() + " = " + to_brief(in_[k * evaluation_->stride()]);
  }
  return variables_.size() > most_listed ? text + ", ..." : text;
}

// Between 0.2 and 1.2 in absolute value, of either sign: away from zero, where identities may hold by chance.
template <class S>
S random_points<S>::number_of_order_one() {
  const std::uint64_t word = bits_();
  const S magnitude = S(0.2) + ldexp(S(word >> 12), -52);
  return (word & 1U) != 0 ? magnitude : S(-magnitude);
}

namespace {

template <class T, class S>
T cast(const S& x) {
  if constexpr (std::same_as<T, S>) return x;
  else return to_double(x);
}

// A Aᵀ y = r for y, A by rows of which most is zero. In double where that will do: iterating finds what it leaves.
template <class S, class T>
class normal_equations {
 public:
  explicit normal_equations(std::size_t rows) : normal_(rows, rows), factors_(rows), y_(rows) {}

  bool factorise(std::span<const S> A, std::size_t columns) {
    normal_.set_zero();
    std::vector<std::pair<std::size_t, T>> column;
    for (std::size_t i = 0; i < columns; ++i) {
      column.clear();
      for (std::size_t c = 0; c < y_.size(); ++c) {
        if (A[c * columns + i] != S(0)) column.emplace_back(c, cast<T>(A[c * columns + i]));
      }
      for (const auto& [c, slope] : column) {
        for (const auto& [d, other] : column) normal_(c, d) += slope * other;
      }
    }
    return factors_.factorise(normal_);
  }
  void solve_in_place(std::vector<S>& r) {
    for (std::size_t c = 0; c < r.size(); ++c) y_[c] = cast<T>(r[c]);
    factors_.solve_in_place(y_);
    for (std::size_t c = 0; c < r.size(); ++c) r[c] = S(y_[c]);
  }

 private:
  matrix<T> normal_;
  lu_factorisation<T> factors_;
  std::vector<T> y_;
};

template <class S, class T>
bool reach_constraints_in(random_points<S>& at, std::size_t constraints, std::size_t coordinates, int most_iterations) {
  const S rounding = 5000 * epsilon<S>();
  normal_equations<S, T> equations(constraints);
  std::vector<S> y(constraints), change(coordinates);
  for (int k = 0; k < most_iterations; ++k) {
    const std::span<const S> g = at.values().first(constraints), A = at.values().subspan(constraints);
    if (!equations.factorise(A, coordinates)) return false;
    for (std::size_t c = 0; c < constraints; ++c) y[c] = -g[c];
    equations.solve_in_place(y);
    std::ranges::fill(change, S(0));
    for (std::size_t c = 0; c < constraints; ++c) {
      for (std::size_t i = 0; i < coordinates; ++i) {
        if (A[c * coordinates + i] != S(0)) change[i] += A[c * coordinates + i] * y[c];
      }
    }
    S largest = 0;
    for (const S& one : change) raise_to(largest, S(abs(one)));
    if (!at.move(change)) return false;
    if (largest < rounding) return true;
  }
  return false;
}

}  // namespace

template <class S>
bool reach_constraints(random_points<S>& at, std::size_t constraints, std::size_t coordinates) {
  constexpr std::size_t few = 24;
  if constexpr (std::same_as<S, quad>) {
    if (constraints > few && reach_constraints_in<S, double>(at, constraints, coordinates, 40)) return true;
  }
  return reach_constraints_in<S, S>(at, constraints, coordinates, 60);
}

namespace {

constexpr int points_tested = 20;
constexpr int points_on_constraints = 6;  // which take long to reach
constexpr double beside_terms = 1e-20, beside_references = 1e-26;

// The terms and references of several sums among the outputs of one program, each expression once.
class sum_table {
 public:
  explicit sum_table(std::vector<expr> first) : outputs_(std::move(first)) {}

  void add(std::size_t index, const vanishing_sum& sum) {
    row r{index, {}, {}};
    for (const expr& term : sum.terms) r.terms.push_back(place_of(term));
    for (const expr& reference : sum.references) r.references.push_back(place_of(reference));
    rows_.push_back(std::move(r));
  }

  const std::vector<expr>& outputs() const { return outputs_; }
  bool is_empty() const { return rows_.empty(); }

  // Notes the sums that are not zero at this point, beside `size` and what each brings along, and needs them no more.
  template <class S>
  void test(const random_points<S>& at, const S& size, std::vector<std::optional<nonzero_point>>& found) {
    std::erase_if(rows_, [&](const row& r) {
      S value = 0, tolerance = size;
      for (const std::size_t k : r.terms) {
        value += at.values()[k];
        tolerance += abs(at.values()[k]) * beside_terms;
      }
      for (const std::size_t k : r.references) tolerance += abs(at.values()[k]) * beside_references;
      if (abs(value) <= tolerance) return false;
      found[r.index] = nonzero_point{quad(value), at.description()};
      return true;
    });
  }

 private:
  struct row {
    std::size_t index;
    std::vector<std::size_t> terms, references;
  };

  std::size_t place_of(const expr& e) {
    const auto [place, is_new] = places_.try_emplace(e, outputs_.size());
    if (is_new) outputs_.push_back(e);
    return place->second;
  }

  std::vector<expr> outputs_;
  expr_map<std::size_t> places_;
  std::vector<row> rows_;
};

// Where a power that is nothing near the origin is large.
void test_far(const lagrangian_system& system, sum_table& table, std::vector<std::optional<nonzero_point>>& found) {
  constexpr unsigned digits = 300;
  constexpr int tries = 20;
  const many_digits scope(digits);
  random_points<proof_real> at(system, table.outputs());
  for (const double size : {1e-3, 1e3, 1e9}) {
    at.set_size(proof_real(size), proof_real(size));
    if (!table.is_empty() && at.draw(tries)) table.test<proof_real>(at, 0, found);
  }
}

bool is_structurally_zero(const vanishing_sum& sum) {
  expr total = 0;
  for (const expr& term : sum.terms) total += term;
  return total.is_zero();
}

}  // namespace

std::vector<std::optional<nonzero_point>> find_nonzero_sums(const lagrangian_system& system,
                                                            std::span<const vanishing_sum> sums, bool far) {
  std::vector<std::optional<nonzero_point>> found(sums.size());
  sum_table table({});
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (!is_structurally_zero(sums[k])) table.add(k, sums[k]);
  }
  if (table.is_empty()) return found;
  random_points<quad> at(system, table.outputs());
  int tested = 0;
  for (; tested < points_tested && !table.is_empty() && at.draw(); ++tested) table.test<quad>(at, 0, found);
  // No point at which all are finite: each may have its own.
  for (std::size_t k = 0; tested == 0 && sums.size() > 1 && k < sums.size(); ++k) {
    found[k] = find_nonzero_sums(system, sums.subspan(k, 1), far).front();
  }
  if (far && tested > 0 && !table.is_empty()) test_far(system, table, found);
  return found;
}

std::optional<nonzero_point> find_nonzero_sum(const lagrangian_system& system, std::span<const expr> terms,
                                              std::span<const expr> references) {
  const vanishing_sum sum{{terms.begin(), terms.end()}, {references.begin(), references.end()}};
  return find_nonzero_sums(system, std::span(&sum, 1)).front();
}

std::vector<std::optional<nonzero_point>> find_nonzero_sums_on_constraints(const lagrangian_system& system,
                                                                           std::span<const vanishing_sum> sums) {
  std::vector<std::optional<nonzero_point>> anywhere = find_nonzero_sums(system, sums);
  const std::size_t m = system.constraints.size(), n = system.size();
  std::vector<expr> outputs;
  for (const named_expr& g : system.constraints) outputs.push_back(g.value);
  for (const named_expr& g : system.constraints) {
    const std::vector<expr> row = gradient(g.value, system.coordinates);
    outputs.insert(outputs.end(), row.begin(), row.end());
  }
  const std::size_t first = outputs.size();
  sum_table table(std::move(outputs));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (anywhere[k]) table.add(k, {sums[k].terms, {}});
  }
  if (table.is_empty()) return anywhere;
  random_points<quad> at(system, table.outputs());
  std::vector<std::optional<nonzero_point>> found(sums.size());
  int reached = 0;
  for (int i = 0; i < points_on_constraints && !table.is_empty() && at.draw(); ++i) {
    if (!reach_constraints(at, m, n)) continue;
    ++reached;
    quad left = 0;  // of constraints and slopes: it may have cancelled inside a term
    for (const quad& x : at.values().first(first)) left += abs(x) * beside_references;
    table.test(at, left, found);
  }
  if (reached > 0) return found;
  if (sums.size() == 1) return anywhere;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    found[k] = find_nonzero_sums_on_constraints(system, sums.subspan(k, 1)).front();
  }
  return found;
}

#define ACTIO_INSTANTIATE(S)       \
  template class random_points<S>; \
  template bool reach_constraints<S>(random_points<S>&, std::size_t, std::size_t);
ACTIO_INSTANTIATE(quad)
ACTIO_INSTANTIATE(proof_real)
#undef ACTIO_INSTANTIATE

}  // namespace actio
