#include "actio/mechanics/recursive_jet.hpp"

#include <algorithm>

#include "actio/mechanics/element_jet.hpp"

namespace actio {

namespace {

// What is the same for all scalars.
struct hessian_pattern {
  jet_pattern all, mass;
  std::shared_ptr<const recursion_layout> layout, mass_layout;
};

std::vector<element_request> empty_requests(std::span<const differentiated_family> lagrangian,
                                            const system_families& families) {
  std::vector<element_request> requests;
  for (const differentiated_family& f : lagrangian) requests.push_back({f.family, {}});
  for (const element_family& f : families.forces) requests.push_back({&f, {}});
  return requests;
}

std::shared_ptr<const recursion_layout> layout_of(const recursion_families& recursions, const jet_pattern& pattern) {
  recursion_pattern equations{recursions.coordinates, recursions.definitions, recursions.first, recursions.column, {}};
  for (const jet_entry& e : pattern.entries) {
    const bool row_rate = e.block == jet_block::momentum_q || e.block == jet_block::momentum_v;
    const bool column_rate = e.block == jet_block::force_v || e.block == jet_block::momentum_v;
    equations.form.push_back({e.row, e.column, row_rate, column_rate, e.output});
  }
  return std::make_shared<const recursion_layout>(std::move(equations));
}

// Of all requests those outputs that are entries between velocities, with rows of their own.
jet_pattern mass_pattern(std::span<const differentiated_family> lagrangian) {
  const system_families no_forces;
  jet_pattern pattern(lagrangian, no_forces, 0, empty_requests(lagrangian, no_forces));
  std::vector<std::uint32_t> row(pattern.rows, ~std::uint32_t(0));
  std::uint32_t rows = 0;
  std::erase_if(pattern.entries, [](const jet_entry& e) { return e.block != jet_block::momentum_v; });
  for (jet_entry& e : pattern.entries) {
    if (row[e.output] == ~std::uint32_t(0)) row[e.output] = rows++;
    e.output = row[e.output];
  }
  pattern.rows = rows;
  for (element_request& request : pattern.requests) {
    std::erase_if(request.outputs, [&](const element_output& o) {
      const std::vector<std::uint32_t>& listed = request.listed[o.number];
      return listed.empty() || row[listed.front()] == ~std::uint32_t(0);
    });
    for (const element_output& o : request.outputs) {
      for (std::uint32_t& place : request.listed[o.number]) place = row[place];
    }
  }
  return pattern;
}

const hessian_pattern& pattern_of(const system_code& code) {
  return *code.piece<hessian_pattern>("", [&] {
    const system_families& families = families_of(code);
    const recursion_families& recursions = recursion_families_of(code);
    std::vector<differentiated_family> all;
    for (const element_family& f : families.lagrangian) all.push_back({&f, f.slots()});
    jet_pattern mass = mass_pattern(all);
    for (const element_family& f : recursions.adjoint) all.push_back({&f, f.slots() - 1});
    jet_pattern whole(all, families, 0, empty_requests(all, families));
    auto layout = layout_of(recursions, whole), mass_layout = layout_of(recursions, mass);
    return hessian_pattern{std::move(whole), std::move(mass), std::move(layout), std::move(mass_layout)};
  });
}

}  // namespace

template <class S>
std::span<const jet_entry> recursive_jet_code<S>::entries() const {
  return pattern_of(*code_).all.entries;
}
template <class S>
std::shared_ptr<const recursion_layout> recursive_jet_code<S>::layout() const {
  return pattern_of(*code_).layout;
}
template <class S>
std::shared_ptr<const recursion_layout> recursive_jet_code<S>::mass_layout() const {
  return pattern_of(*code_).mass_layout;
}

template <class S>
const typename recursive_jet_code<S>::sums& recursive_jet_code<S>::compiled() const {
  return *code_->piece<sums>(digits_of_constants<S>(), [&] {
    const lagrangian_system& system = code_->system();
    const recursion_families& r = recursions();
    const hessian_pattern& pattern = pattern_of(*code_);
    const system_families& families = families_of(*code_);
    const auto compiled = [&](const std::vector<element_request>& requests) {
      return compile_elements<S>(requests, system);
    };
    std::vector<std::shared_ptr<const element_code<S>>> stages;
    for (const recursion_families::stage& stage : r.stages) stages.push_back(compiled(stage.before));
    return sums{
        std::move(stages), compiled(r.behind), compiled(value_requests(families)), compiled(first_requests(families)),
        compiled(r.bend),  compiled(r.turn),   compiled(pattern.all.requests),     compiled(pattern.mass.requests)};
  });
}

template <class S>
recursive_jet<S>::recursive_jet(const system_code& code, std::size_t points, shared_parameters<S> parameters)
    : code_(code),
      recursions_(&code_.recursions()),
      size_(recursions_->coordinates),
      count_(recursions_->definitions),
      points_(points),
      parameters_(std::move(parameters)),
      positions_((size_ + 2 * count_) * points, S(0)),
      velocities_(positions_),
      force_(positions_),
      momentum_(positions_),
      time_(points, S(0)),
      slopes_(recursions_->column.size() * points, S(0)),
      rate_(count_ * points, S(0)),
      stages_(recursions_->stages.size()) {}

template <class S>
void recursive_jet<S>::add(std::optional<element_sums<S>>& sums, const std::shared_ptr<const element_code<S>>& code,
                           std::span<S* const> arrays) {
  if (!sums) sums.emplace(code, points_, parameters_);
  sums->add({positions_.data(), velocities_.data(), time_.data(), arrays});
}

// into += factor · from, point by point.
template <class S>
static inline void add_multiple(const S* factor, const S* from, S* into, std::size_t points) {
  for (std::size_t l = 0; l < points; ++l) into[l] += factor[l] * from[l];
}

// use(W) with the number of points where that is known when this is compiled, or 0.
template <class S>
template <class Use>
void recursive_jet<S>::with_points(Use&& use) const {
  if constexpr (std::same_as<S, double>) {
    switch (points_) {
      case 1: return use(std::integral_constant<std::size_t, 1>{});
      case 2: return use(std::integral_constant<std::size_t, 2>{});
      case 3: return use(std::integral_constant<std::size_t, 3>{});
      case 4: return use(std::integral_constant<std::size_t, 4>{});
      default: break;
    }
  }
  use(std::integral_constant<std::size_t, 0>{});
}

template <class S>
void recursive_jet<S>::place(const S* in) {
  const std::size_t rows = size_ * points_, n = size_;
  std::copy_n(in, rows, positions_.begin());
  std::copy_n(in + rows, rows, velocities_.begin());
  std::copy_n(in + 2 * rows, points_, time_.begin());
  const std::uint32_t *const first = recursions_->first.data(), *const column = recursions_->column.data();
  const std::uint8_t* const own = recursions_->own.data();
  S* const x = positions_.data() + rows;
  std::fill_n(x, count_ * points_, S(0));
  std::ranges::fill(slopes_, S(0));
  std::ranges::fill(rate_, S(0));
  S* const arrays[] = {x, slopes_.data(), rate_.data(), nullptr, nullptr};
  for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
    add(stages_[stage], code_.compiled().stages[stage], arrays);
    with_points([&]<std::size_t W>(std::integral_constant<std::size_t, W>) {
      const std::size_t points = W > 0 ? W : points_;
      for (const std::uint32_t i : recursions_->stages[stage].rows) {
        S* const into = x + i * points;
        for (std::uint32_t e = first[i]; e < first[i + 1]; ++e) {
          if (own[e] != 0) add_multiple(&slopes_[e * points], &positions_[column[e] * points], into, points);
        }
      }
    });
  }
  add(behind_, code_.compiled().behind, arrays);
  with_points([&]<std::size_t W>(std::integral_constant<std::size_t, W>) {
    const std::size_t points = W > 0 ? W : points_;
    for (std::size_t i = 0; i < count_; ++i) {
      S* const into = &velocities_[(n + i) * points];
      std::copy_n(&rate_[i * points], points, into);
      for (std::uint32_t e = first[i]; e < first[i + 1]; ++e) {
        add_multiple(&slopes_[e * points], &velocities_[column[e] * points], into, points);
      }
    }
  });
}

template <class S>
template <std::size_t W>
void recursive_jet<S>::sweep_back(S* rows) const {
  const std::size_t points = W > 0 ? W : points_;
  const std::uint32_t *const first = recursions_->first.data(), *const column = recursions_->column.data();
  for (std::size_t i = count_; i-- > 0;) {
    const S* const from = rows + (size_ + i) * points;
    for (std::uint32_t e = first[i]; e < first[i + 1]; ++e) {
      add_multiple(&slopes_[e * points], from, rows + column[e] * points, points);
    }
  }
}

template <class S>
void recursive_jet<S>::value(const S* in, S* out) {
  place(in);
  std::fill_n(out, points_, S(0));
  S* const arrays[] = {out};
  add(value_, code_.compiled().value, arrays);
}

template <class S>
void recursive_jet<S>::first(const S* in, S* out) {
  place(in);
  const std::size_t rows = size_ * points_, more = count_ * points_;
  S* const power = out + 2 * rows;
  std::ranges::fill(force_, S(0));
  std::ranges::fill(momentum_, S(0));
  std::fill_n(power, points_, S(0));
  S* const of_lagrangian[] = {force_.data(), momentum_.data(), power, nullptr};
  add(first_, code_.compiled().first, of_lagrangian);
  with_points([&]<std::size_t W>(std::integral_constant<std::size_t, W>) { sweep_back<W>(momentum_.data()); });
  std::copy_n(&momentum_[rows], more, &velocities_[rows + more]);
  S* const of_bend[] = {nullptr, nullptr, nullptr, force_.data(), power};
  add(bend_, code_.compiled().bend, of_bend);
  with_points([&]<std::size_t W>(std::integral_constant<std::size_t, W>) { sweep_back<W>(force_.data()); });
  std::copy_n(&force_[rows], more, &positions_[rows + more]);
  for (std::size_t k = 0; k < more; ++k) power[k % points_] -= force_[rows + k] * rate_[k];
  std::copy_n(force_.begin(), rows, out);
  std::copy_n(momentum_.begin(), rows, out + rows);
}

template <class S>
void recursive_jet<S>::second(const S* in, S* out) {
  first(in, out);
  slope_rates_.assign(slopes_.size(), S(0));
  S* const of_turn[] = {nullptr, slope_rates_.data(), nullptr, nullptr, nullptr};
  add(turn_, code_.compiled().turn, of_turn);
  entries_.assign(pattern_of(code_.code()).all.rows * points_, S(0));
  S* const of_entries[] = {nullptr, nullptr, nullptr, entries_.data()};
  add(second_, code_.compiled().second, of_entries);
}

// One point after the other in all rows; sizes where signs do not count.
template <class S>
void recursive_jet<S>::product(linear_motion& along, bool of_sizes) const {
  using std::abs;
  const std::size_t W = points_, n = size_;
  const std::uint32_t *const first = recursions_->first.data(), *const column = recursions_->column.data();
  const auto add = [&](const S* factor, const S* from, S* into) {
    for (std::size_t l = 0; l < W; ++l) into[l] += of_sizes ? S(abs(factor[l])) * from[l] : factor[l] * from[l];
  };
  std::vector<S>&dq = along.position, &dv = along.velocity, &dG = along.force, &dP = along.momentum;
  for (std::size_t k = n * W; k < dq.size(); ++k) dq[k] = dv[k] = S(0);
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::uint32_t e = first[i]; e < first[i + 1]; ++e) {
      add(slope(e), &dq[column[e] * W], &dq[(n + i) * W]);
      add(slope(e), &dv[column[e] * W], &dv[(n + i) * W]);
      add(slope_rate(e), &dq[column[e] * W], &dv[(n + i) * W]);
    }
  }
  std::ranges::fill(dG, S(0));
  std::ranges::fill(dP, S(0));
  for (const jet_entry& e : code_.entries()) {
    const bool by_velocity = e.block == jet_block::force_v || e.block == jet_block::momentum_v;
    const bool of_force = e.block == jet_block::force_q || e.block == jet_block::force_v;
    add(&entries_[e.output * W], &(by_velocity ? dv : dq)[e.column * W], &(of_force ? dG : dP)[e.row * W]);
  }
  for (std::size_t i = count_; i-- > 0;) {
    for (std::uint32_t e = first[i]; e < first[i + 1]; ++e) {
      add(slope(e), &dP[(n + i) * W], &dP[column[e] * W]);
      add(slope(e), &dG[(n + i) * W], &dG[column[e] * W]);
      add(slope_rate(e), &dP[(n + i) * W], &dG[column[e] * W]);
    }
  }
}

template <class S>
void recursive_jet<S>::mass(const S* in) {
  place(in);
  entries_.assign(pattern_of(code_.code()).mass.rows * points_, S(0));
  S* const of_entries[] = {nullptr, nullptr, nullptr, entries_.data()};
  add(mass_, code_.compiled().mass, of_entries);
}

#define ACTIO_INSTANTIATE(S)            \
  template class recursive_jet_code<S>; \
  template class recursive_jet<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
