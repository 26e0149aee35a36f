#include "actio/mechanics/element_jet.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"

namespace actio {

namespace {

bool is_constant(const element_family& family) {
  return family.slots() == 0 && !depends_on(family.body, time_symbol());
}

}  // namespace

std::vector<element_request> first_requests(const system_families& families) {
  std::vector<element_request> requests;
  for (const element_family& family : families.lagrangian) {
    element_request request{&family, {}};
    const std::vector<expr> by_q = gradient(family.body, family.positions),
                            by_v = gradient(family.body, family.velocities);
    for (std::uint32_t k = 0; k < family.slots(); ++k) {
      request.outputs.push_back({by_q[k], force_array, element_place::slot, k});
      request.outputs.push_back({by_v[k], momentum_array, element_place::slot, k});
    }
    request.outputs.push_back({-derivative(family.body, time_symbol()), power_array, element_place::whole});
    requests.push_back(std::move(request));
  }
  for (std::size_t f = 0; f < families.forces.size(); ++f) {
    const element_family& family = families.forces[f];
    const auto slot = static_cast<std::uint32_t>(families.acts_on[f]);
    requests.push_back({&family,
                        {{family.body, force_array, element_place::slot, slot},
                         {family.body * family.velocities[slot], power_array, element_place::whole}}});
  }
  return requests;
}

std::vector<element_request> value_requests(const system_families& families) {
  std::vector<element_request> requests;
  for (const element_family& family : families.lagrangian) {
    if (!is_constant(family)) requests.push_back({&family, {{family.body, force_array, element_place::whole}}});
  }
  return requests;
}

namespace {

// One second derivative of a family: its entry is (rows, columns) of every element.
struct slope {
  std::size_t request;
  expr value;
  jet_block block;
  const std::vector<std::uint32_t>*rows, *columns;
};

std::vector<slope> slopes_of(std::span<const differentiated_family> lagrangian, const system_families& families) {
  std::vector<slope> slopes;
  std::size_t request = 0;
  const auto add = [&](const expr& value, jet_block block, const auto& rows, const auto& columns) {
    if (!value.is_zero()) slopes.push_back({request, value, block, &rows, &columns});
  };
  for (const auto& [of, count] : lagrangian) {
    const auto& I = of->coordinates;
    const std::span q(of->positions.data(), count), v(of->velocities.data(), count);
    const std::vector<expr> by_q = gradient(of->body, q), by_v = gradient(of->body, v);
    for (std::size_t a = 0; a < count; ++a) {
      const std::vector<expr> qq = gradient(by_q[a], q), vv = gradient(by_v[a], v), vq = gradient(by_v[a], q);
      for (std::size_t b = 0; b < count; ++b) {
        if (b >= a) add(qq[b], jet_block::force_q, I[a], I[b]);
        if (b >= a) add(vv[b], jet_block::momentum_v, I[a], I[b]);
        add(vq[b], jet_block::momentum_q, I[a], I[b]);
      }
    }
    ++request;
  }
  for (std::size_t f = 0; f < families.forces.size(); ++f, ++request) {
    const element_family& family = families.forces[f];
    const std::vector<expr> by_q = gradient(family.body, family.positions),
                            by_v = gradient(family.body, family.velocities);
    for (std::size_t b = 0; b < family.slots(); ++b) {
      add(by_q[b], jet_block::force_q, family.targets, family.coordinates[b]);
      add(by_v[b], jet_block::force_v, family.targets, family.coordinates[b]);
    }
  }
  return slopes;
}

}  // namespace

jet_pattern::jet_pattern(std::span<const differentiated_family> lagrangian, const system_families& families,
                         std::size_t first, std::vector<element_request> begun)
    : requests(std::move(begun)) {
  const std::vector<slope> slopes = slopes_of(lagrangian, families);
  const auto force_has = [&](jet_block block) {
    return std::ranges::any_of(slopes,
                               [&](const slope& s) { return s.request >= lagrangian.size() && s.block == block; });
  };
  const bool mirrors_q = !force_has(jet_block::force_q), shares_mixed = !force_has(jet_block::force_v);
  const auto is_mirrored = [&](jet_block block) {
    return block == jet_block::momentum_v || (block == jet_block::force_q && mirrors_q);
  };
  const auto key_of = [&](jet_block block, std::uint64_t i, std::uint64_t j) {
    if (is_mirrored(block) && j < i) std::swap(i, j);
    return static_cast<std::uint64_t>(block) << 60 | i << 30 | j;
  };
  std::vector<std::uint64_t> keys;
  const auto visit = [&](const slope& s, auto&& at) {  // every place that a slope is added to
    const bool is_of_force = s.request >= lagrangian.size();
    const std::size_t count = s.rows->size();
    at(s, s.block, *s.rows, *s.columns, count);
    if (is_of_force) return;
    if (s.block == jet_block::force_q && !mirrors_q && s.rows != s.columns) {
      at(s, s.block, *s.columns, *s.rows, count);
    }
    if (s.block == jet_block::momentum_q && !shares_mixed) at(s, jet_block::force_v, *s.columns, *s.rows, count);
  };
  for (const slope& s : slopes) {
    visit(s, [&](const slope&, jet_block block, const auto& rows, const auto& columns, std::size_t count) {
      for (std::size_t e = 0; e < count; ++e) keys.push_back(key_of(block, rows[e], columns[e]));
    });
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const slope& s : slopes) {
    visit(s, [&](const slope& of, jet_block block, const auto& rows, const auto& columns, std::size_t count) {
      element_request& request = requests[of.request];
      const auto number = static_cast<std::uint32_t>(request.listed.size());
      std::vector<std::uint32_t>& listed = request.listed.emplace_back(count);
      for (std::size_t e = 0; e < count; ++e) {
        const auto place = std::ranges::lower_bound(keys, key_of(block, rows[e], columns[e]));
        listed[e] = static_cast<std::uint32_t>(place - keys.begin());
      }
      request.outputs.push_back({of.value, entry_array, element_place::listed, number});
    });
  }
  constexpr std::uint64_t mask = (std::uint64_t{1} << 30) - 1;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const auto block = static_cast<jet_block>(keys[k] >> 60);
    const auto i = static_cast<std::uint32_t>(keys[k] >> 30 & mask), j = static_cast<std::uint32_t>(keys[k] & mask);
    const auto output = static_cast<std::uint32_t>(first + k);
    entries.push_back({block, i, j, output});
    if (is_mirrored(block) && i != j) entries.push_back({block, j, i, output});
    if (block == jet_block::momentum_q && shares_mixed) entries.push_back({jet_block::force_v, j, i, output});
  }
  std::ranges::stable_sort(entries, {}, &jet_entry::block);
  rows = first + keys.size();
}

template <class S>
const jet_pattern& element_jet_code<S>::pattern() const {
  return *code_->piece<jet_pattern>("", [&] {
    const system_families& families = families_of(*code_);
    std::vector<differentiated_family> all;
    for (const element_family& family : families.lagrangian) all.push_back({&family, family.slots()});
    return jet_pattern(all, families, 2 * code_->system().size() + 1, first_requests(families));
  });
}

template <class S>
bool element_jet_code<S>::has_power() const {
  return code_->system().is_forced() || depends_on_time(code_->system());
}
template <class S>
const std::vector<jet_entry>& element_jet_code<S>::entries() const {
  return pattern().entries;
}
template <class S>
std::size_t element_jet_code<S>::outputs() const {
  return pattern().rows;
}

template <class S>
std::shared_ptr<const element_code<S>> element_jet_code<S>::value() const {
  return compile_elements<S>(value_requests(families_of(*code_)), code_->system());
}
template <class S>
std::shared_ptr<const element_code<S>> element_jet_code<S>::first() const {
  return compile_elements<S>(first_requests(families_of(*code_)), code_->system());
}
template <class S>
std::shared_ptr<const element_code<S>> element_jet_code<S>::second() const {
  return compile_elements<S>(pattern().requests, code_->system());
}

template <class S>
void element_jet<S>::sum(std::optional<element_sums<S>>& sums, const std::shared_ptr<const element_code<S>>& code,
                         const S* in, S* out) {
  if (!sums) sums.emplace(code, points_, parameters_);
  const std::size_t rows = size_ * points_;
  S* const arrays[] = {out, out + rows, out + 2 * rows, out + 2 * rows + points_};
  sums->add({in, in + rows, in + 2 * rows, arrays});
}

template <class S>
void element_jet<S>::value(const S* in, S* out) {
  std::fill_n(out, points_, S(0));
  sum(value_, value_ ? nullptr : code_->value(), in, out);
}
template <class S>
void element_jet<S>::first(const S* in, S* out) {
  std::fill_n(out, (2 * size_ + 1) * points_, S(0));
  sum(first_, first_ ? nullptr : code_->first(), in, out);
}
template <class S>
void element_jet<S>::second(const S* in, S* out) {
  std::fill_n(out, code_->outputs() * points_, S(0));
  sum(second_, second_ ? nullptr : code_->second(), in, out);
}

#define ACTIO_INSTANTIATE(S)          \
  template class element_jet_code<S>; \
  template class element_jet<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
