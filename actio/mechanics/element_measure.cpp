#include "actio/mechanics/element_measure.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/terms.hpp"

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
void element_measure<S>::operator()(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p,
                                    std::span<S> values) {
  const S* positions = q.data();
  if (sums_of_->has_others()) {
    positions_.resize(q.size() + p.size(), S(0));
    std::ranges::copy(q, positions_.begin());
    std::ranges::copy(p, positions_.begin() + static_cast<std::ptrdiff_t>(q.size()));
    positions = positions_.data();
  }
  places_.clear();
  for (S& value : values) {
    value = S(0);
    places_.push_back(&value);
  }
  sums_.add({positions, v.data(), &t, places_});
}

#define ACTIO_INSTANTIATE(S) template class element_measure<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
