#include "actio/mechanics/element_measure.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/terms.hpp"
#include "actio/mechanics/recursive_jet.hpp"

namespace actio {

namespace {

// ½ v·ℓ_vv·v.
expr kinetic_scale_of(const element_family& family) {
  const std::vector<expr> P = gradient(family.body, family.velocities);
  expr sum = 0;
  for (std::size_t a = 0; a < family.slots(); ++a) {
    const std::vector<expr> row = gradient(P[a], family.velocities);
    for (std::size_t b = 0; b < family.slots(); ++b) sum += row[b] * family.velocities[a] * family.velocities[b];
  }
  return sum / 2;
}

}  // namespace

measured_sums::measured_sums(const system_code& code, std::span<const expr> others, std::size_t first)
    : places_(first + others.size()) {
  for (const element_family& family : families_of(code).lagrangian) {
    const expr& body = family.body;
    if (family.slots() == 0 && !depends_on(body, time_symbol())) {
      requests_.push_back({&family, {{body, constant_place, element_place::whole}}});
      continue;
    }
    requests_.push_back({&family,
                         {{body, lagrangian_place, element_place::whole},
                          {rounding_size(body), rounding_place, element_place::whole},
                          {kinetic_scale_of(family), kinetic_place, element_place::whole}}});
  }
  const lagrangian_system& system = code.system();
  element_symbols symbols(system);
  symbols.add_momenta();
  std::vector<std::pair<std::size_t, std::size_t>> ranges;  // of families of each
  for (const expr& other : others) {
    const std::vector<element_term> terms = terms_of_sum(other, symbols);
    std::vector<element_family> made = families_of(terms, symbols);
    ranges.emplace_back(families_.size(), families_.size() + made.size());
    std::ranges::move(made, std::back_inserter(families_));
  }
  for (std::size_t k = 0; k < others.size(); ++k) {
    for (std::size_t f = ranges[k].first; f < ranges[k].second; ++f) {
      requests_.push_back(
          {&families_[f], {{families_[f].body, static_cast<std::uint32_t>(first + k), element_place::whole}}});
    }
  }
}

template <class S>
element_measure<S>::element_measure(std::shared_ptr<const measured_sums> sums,
                                    std::shared_ptr<const element_code<S>> code, const system_code& system,
                                    const shared_parameters<S>& parameters)
    : sums_of_(std::move(sums)), sums_(std::move(code), 1, parameters) {
  if (!system.system().recursions) return;
  recursive_ = std::make_unique<recursive_jet<S>>(system, 1, parameters);
  in_.assign(2 * system.system().size() + 1, S(0));
  const auto contains_time = [](const expr& e) { return depends_on(e, time_symbol()); };
  if (std::ranges::any_of(system.system().recursions->values, contains_time)) out_ = in_;
}
template <class S>
element_measure<S>::~element_measure() = default;

// ½ v·(P − P at rest) where recursive_ was placed last: what moves by itself has rates that are not of the velocities.
template <class S>
S element_measure<S>::kinetic_scale_of_driven(std::span<const S> v) {
  const std::size_t n = v.size();
  S sum(0);
  for (const int sign : {1, -1}) {
    if (sign < 0) std::fill_n(in_.begin() + static_cast<std::ptrdiff_t>(n), n, S(0));
    recursive_->first(in_.data(), out_.data());
    for (std::size_t i = 0; i < n; ++i) sum += S(sign) * v[i] * out_[n + i];
  }
  return sum / S(2);
}

template <class S>
void element_measure<S>::operator()(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p,
                                    std::span<S> values) {
  const S *positions = q.data(), *velocities = v.data();
  std::size_t places = q.size();
  if (recursive_) {
    std::ranges::copy(q, in_.begin());
    std::ranges::copy(v, in_.begin() + static_cast<std::ptrdiff_t>(q.size()));
    in_.back() = t;
    recursive_->place(in_.data());
    positions = recursive_->positions();
    velocities = recursive_->velocities();
    places = recursive_->places();
  }
  if (sums_of_->has_others()) {
    positions_.resize(places + p.size(), S(0));
    std::copy_n(positions, places, positions_.begin());
    std::ranges::copy(p, positions_.begin() + static_cast<std::ptrdiff_t>(places));
    positions = positions_.data();
  }
  places_.clear();
  for (S& value : values) {
    value = S(0);
    places_.push_back(&value);
  }
  sums_.add({positions, velocities, &t, places_});
  if (!out_.empty()) values[measured_sums::kinetic_place] = kinetic_scale_of_driven(v);
}

#define ACTIO_INSTANTIATE(S) template class element_measure<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
