#include "actio/mechanics/initial_values.hpp"

#include <mutex>

#include "actio/backend/evaluate.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/element_sums.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

initial_values::initial_values(std::vector<expr> coordinates, std::vector<std::pair<std::uint32_t, named_expr>> single,
                               std::vector<ranged_values> ranges, std::vector<expr> parameters)
    : ranged_(std::make_shared<const ranged>(
          ranged{std::move(coordinates), std::move(single), std::move(ranges), std::move(parameters)})) {}

std::vector<named_expr> initial_values::ranged::written_out() const {
  std::vector<named_expr> result;
  for (const expr& q : coordinates) result.push_back({q.name(), expr(0), {}});
  for (const auto& [i, value] : single) result[i] = value;
  for (const ranged_values& range : ranges) {
    const element_family& family = *range.family;
    for (std::size_t e = 0; e < family.elements; ++e) {
      named_expr& value = result[family.targets[e]];
      value.value = family.value_of(e, parameters);
      value.place = range.place;
    }
  }
  return result;
}

const std::vector<named_expr>& initial_values::written_out() const {
  static std::mutex& mutex = *new std::mutex;
  if (!ranged_) return written_;
  const std::lock_guard lock(mutex);
  if (written_.empty()) written_ = ranged_->written_out();
  return written_;
}

std::vector<named_expr>& initial_values::written_out() {
  std::as_const(*this).written_out();
  ranged_.reset();
  return written_;
}

template <class S>
std::vector<S> initial_values::values(const lagrangian_system& system) const {
  const std::vector<S> parameters = parameter_values<S>(system);
  const auto evaluated = [&](const auto& list, auto&& value_in) {
    std::vector<expr> values;
    for (const auto& item : list) values.push_back(value_in(item));
    return evaluate<S>(values, system.parameter_symbols(), parameters);
  };
  if (!ranged_) return evaluated(written_, [](const named_expr& e) { return e.value; });
  std::vector<S> result(size(), S(0));
  const std::vector<S> alone = evaluated(ranged_->single, [](const auto& one) { return one.second.value; });
  for (std::size_t k = 0; k < alone.size(); ++k) result[ranged_->single[k].first] = alone[k];
  for (const ranged_values& range : ranged_->ranges) {
    const element_family& family = *range.family;
    const auto code = compile_elements<S>({{&family, {{family.body, 0, element_place::target}}}}, system);
    element_sums<S> sums(code, 1, shared_parameters<S>(parameters));
    const S time(0);
    S* const arrays[] = {result.data()};
    sums.add({nullptr, nullptr, &time, arrays});
    for (const std::uint32_t i : family.targets) {
      if (is_finite(result[i])) continue;
      throw input_error("bad-number",
                        "the initial value of '" + ranged_->coordinates[i].name() + "' is " + to_brief(result[i]),
                        range.place, "initial values must be finite numbers");
    }
  }
  return result;
}

#define ACTIO_INSTANTIATE(S) template std::vector<S> initial_values::values<S>(const lagrangian_system&) const;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
