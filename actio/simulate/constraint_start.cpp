#include "actio/simulate/constraint_start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/base/largest.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/simulate/nearest_position.hpp"

namespace actio {

namespace {

// Residuals of so many roundings pass: initial data are expressions, evaluated in a few operations.
constexpr double roundings = 1000;

constexpr const char* project_cure = "mend the initial data, or let @project move them to the nearest that fit";

// The four coordinates whose squares a constraint |Q|² = c sums up, or none where it is something else.
std::vector<std::size_t> quaternion_of(const lagrangian_system& system, const named_expr& constraint) {
  const std::vector<expr> slopes = gradient(constraint.value, system.coordinates);
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (slopes[i].is_zero()) continue;
    if (slopes[i] != 2 * system.coordinates[i]) return {};
    parts.push_back(i);
  }
  return parts.size() == 4 ? parts : std::vector<std::size_t>{};
}

std::string listing(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + ("'" + names[k] + "'");
  }
  return text;
}

}  // namespace

template <class S>
constraint_start<S>::constraint_start(const phase_space<S>& space, const S& time)
    : space_(space),
      time_(time),
      map_(*space.constraints()),
      point_(space),
      held_(map_.at(1, space.parameters())),
      slopes_(map_.size(), S(0)),
      values_(map_.size(), S(0)) {}

template <class S>
void constraint_start<S>::evaluate(std::span<const S> position) {
  using std::abs;
  for (std::size_t i = 0; i < position.size(); ++i) *held_.position(i) = position[i];
  *held_.time() = time_;
  held_.evaluate_first();
  extent_ = largest_size<S>(position);
  std::fill(slopes_.begin(), slopes_.end(), S(0));
  for (const constraint_entry& e : map_.jacobian()) {
    slopes_[e.row] = std::max<S>(slopes_[e.row], abs(*held_.entry(e)));
  }
  for (std::size_t c = 0; c < values_.size(); ++c) {
    values_[c] = *held_.value(c);
    if (is_finite(values_[c]) && is_finite(slopes_[c])) continue;
    throw input_error("non-finite-start",
                      fmt::format("constraint '{}' is not finite at the initial position", constraint(c).name),
                      constraint(c).place, "choose an initial position inside the domain of the constraint");
  }
}

template <class S>
S constraint_start<S>::tolerance(std::size_t c, const S& size) const {
  return S(roundings) * epsilon<S>() * slopes_[c] * (size > S(0) ? size : S(1));
}

template <class S>
std::size_t constraint_start<S>::worst(std::span<const S> residuals, const S& size) const {
  using std::abs;
  std::size_t worst = residuals.size();
  S ratio(1);
  for (std::size_t c = 0; c < residuals.size(); ++c) {
    const S here = abs(residuals[c]) / tolerance(c, size);
    if (here > ratio) ratio = here, worst = c;
  }
  return worst;
}

template <class S>
row_dependence<S> constraint_start<S>::dependence_at(std::span<const S> position, const S& tolerance) {
  evaluate(position);
  std::vector<sparse_row<S>> slopes(map_.size());
  for (const constraint_entry& e : map_.jacobian()) slopes[e.row].emplace_back(e.column, *held_.entry(e));
  return dependence_of<S>(std::move(slopes), position.size(), tolerance);
}

template <class S>
bool constraint_start<S>::are_nearly_dependent(std::span<const S> position, const S& distance) {
  return !dependence_at(position, distance).combination.empty();
}

// The forces of constraints are found from A M⁻¹Aᵀ, where distances are squared.
template <class S>
void constraint_start<S>::require_distinct(std::span<const S> position) {
  using std::abs, std::sqrt;
  const S distance = S(16) * sqrt(epsilon<S>());
  const row_dependence<S> found = dependence_at(position, distance);
  if (found.combination.empty()) return;
  std::vector<std::string> names;
  std::size_t last = 0;
  for (std::size_t c = 0; c < map_.size(); ++c) {
    if (abs(found.combination[c]) * slopes_[c] <= distance) continue;
    names.push_back(constraint(c).name);
    last = c;
  }
  throw input_error("redundant-constraints",
                    fmt::format("constraints {} all but depend on one another at the initial position: their forces "
                                "cannot be told apart in this precision",
                                listing(names)),
                    constraint(last).place, "remove one of them, start elsewhere, or compute with more digits");
}

template <class S>
void constraint_start<S>::require_independent(std::span<const S> position) {
  using std::abs;
  const row_dependence<S> found = dependence_at(position, S(roundings) * epsilon<S>());
  if (found.combination.empty()) return;
  std::vector<std::string> names;
  S value(0), size(0);
  std::size_t last = 0;
  for (std::size_t c = 0; c < map_.size(); ++c) {
    const S part = abs(found.combination[c]) * std::max<S>(slopes_[c], S(0));
    if (part <= S(1e-8) && !(slopes_[c] == S(0) && found.combination[c] != S(0))) continue;
    names.push_back(constraint(c).name);
    last = c;
    value += found.combination[c] * values_[c];
    size += abs(found.combination[c]) * tolerance(c, extent_);
  }
  const std::string rank = fmt::format("their derivatives have rank {} instead of {}", found.rank, map_.size());
  if (names.size() == 1) {
    throw input_error("redundant-constraints",
                      fmt::format("the derivative of constraint '{}' vanishes at the initial position: the constraints "
                                  "have rank {} instead of {}",
                                  names.front(), found.rank, map_.size()),
                      constraint(last).place,
                      "write an expression that passes through zero with a slope, such as x - 1 for (x - 1)^2");
  }
  if (abs(value) > size) {
    throw input_error("contradictory-constraints",
                      fmt::format("constraints {} contradict one another: {} at the initial position, but their values "
                                  "do not vanish together",
                                  listing(names), rank),
                      constraint(last).place, "remove one of them, or mend the parameters in them");
  }
  throw input_error(
      "redundant-constraints",
      fmt::format("constraints {} depend on one another: {} at the initial position", listing(names), rank),
      constraint(last).place, "remove one of them, or start where they are independent");
}

template <class S>
void constraint_start<S>::require_position(std::span<const S> position, const std::string& what) {
  evaluate(position);
  const std::size_t c = worst(values_, extent_);
  if (c == values_.size()) return;
  S square(0);
  std::string names;
  for (const std::size_t i : quaternion_of(space_.system(), constraint(c))) {
    square += position[i] * position[i];
    names += (names.empty() ? "" : ", ") + space_.system().coordinates[i].name();
  }
  if (const S asked = square - values_[c]; !names.empty() && asked > S(0)) {
    using std::sqrt;
    throw input_error("unnormalised-quaternion",
                      fmt::format("the quaternion ({}) of the {} has norm {}, but constraint '{}' asks for {}", names,
                                  what, to_brief(S(sqrt(square))), constraint(c).name, to_brief(S(sqrt(asked)))),
                      constraint(c).place, "divide it by its norm, or let @project do so");
  }
  throw input_error("off-constraint",
                    fmt::format("the {} does not satisfy the constraint '{}': it is {} there instead of 0", what,
                                constraint(c).name, to_brief(values_[c])),
                    constraint(c).place, project_cure);
}

template <class S>
void constraint_start<S>::require_velocity(std::span<const S> position, std::span<const S> velocity) {
  evaluate(position);
  std::vector<S> rates;
  for (std::size_t c = 0; c < map_.size(); ++c) rates.push_back(*held_.time_derivative(c));
  S speed = largest_size<S>(velocity);
  for (std::size_t c = 0; c < map_.size(); ++c) {
    using std::abs;
    if (slopes_[c] > S(0)) speed = std::max<S>(speed, abs(rates[c]) / slopes_[c]);
  }
  for (const constraint_entry& e : map_.jacobian()) rates[e.row] += *held_.entry(e) * velocity[e.column];
  const std::size_t c = worst(rates, speed);
  if (c == rates.size()) return;
  throw input_error(
      "off-hidden-constraint",
      fmt::format("the initial velocity leaves the constraint '{}': its time derivative is {} instead of 0",
                  constraint(c).name, to_brief(rates[c])),
      constraint(c).place, project_cure);
}

template <class S>
void constraint_start<S>::require_momentum(std::span<const S> position, std::span<const S> momentum,
                                           std::span<const S> near) {
  using std::abs;
  std::vector<S> velocity(position.size(), S(0));
  if (!point_.velocity_at(time_, position, momentum, velocity, near)) return;  // the caller finds out why
  const S off = largest_size<S>(point_.normal_momentum());
  if (off <= S(roundings) * epsilon<S>() * largest_size<S>(momentum)) return;
  evaluate(position);
  std::size_t worst = 0;
  for (std::size_t c = 1; c < map_.size(); ++c) {
    const auto size = [&](std::size_t k) { return S(abs(point_.normal_multipliers()[k]) * slopes_[k]); };
    if (size(c) > size(worst)) worst = c;
  }
  throw input_error(
      "off-hidden-constraint",
      fmt::format("the initial momentum leaves the constraint '{}': {} of it belong to no velocity that keeps it",
                  constraint(worst).name, to_brief(off)),
      constraint(worst).place, project_cure);
}

template <class S>
S constraint_start<S>::project_position(std::span<S> position, const std::string& what) {
  using std::abs;
  evaluate(position);
  if (const auto nearest = nearest_position<S>(space_, position, time_)) {
    S moved(0);
    for (std::size_t i = 0; i < position.size(); ++i) {
      moved = std::max<S>(moved, abs((*nearest)[i] - position[i]));
      position[i] = (*nearest)[i];
    }
    return moved;
  }
  const auto c = static_cast<std::size_t>(std::ranges::max_element(values_, {}, [](const S& g) { return S(abs(g)); }) -
                                          values_.begin());
  throw input_error("off-constraint",
                    fmt::format("the {} could not be projected: constraint '{}' is {} there, and no position near it "
                                "satisfies all constraints",
                                what, constraint(c).name, to_brief(values_[c])),
                    constraint(c).place, "give initial data nearer to the constraints");
}

template <class S>
S constraint_start<S>::project_momentum(std::span<const S> position, std::span<S> momentum, std::span<const S> near) {
  using std::abs;
  std::vector<S> velocity(position.size(), S(0));
  if (!point_.velocity_at(time_, position, momentum, velocity, near)) {
    throw input_error("off-hidden-constraint", "no velocity along the constraints belongs to the initial momentum",
                      space_.system().lagrangian_place, "give the initial velocity instead");
  }
  for (std::size_t i = 0; i < momentum.size(); ++i) momentum[i] -= point_.normal_momentum()[i];
  return largest_size<S>(point_.normal_momentum());
}

#define ACTIO_INSTANTIATE(S) template class constraint_start<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
