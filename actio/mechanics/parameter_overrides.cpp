#include "actio/mechanics/parameter_overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actio/mechanics/model.hpp"

namespace actio {

parameter_overrides::parameter_overrides(const lagrangian_system& system) : assigned_(system.parameters.size()) {
  system_.name = system.name;
  system_.parameters = system.parameters;
  values_ = parameter_values<double>(system_);
  any_follows_ = std::ranges::any_of(system_.parameters, [](const named_expr& p) { return !p.value.is_number(); });
}

void parameter_overrides::set(std::string_view name, double value) {
  const auto found = std::ranges::find(system_.parameters, name, &named_expr::name);
  if (found == system_.parameters.end()) {
    std::vector<std::string> known;
    for (const named_expr& p : system_.parameters) known.push_back(p.name);
    throw input_error("unknown-name", fmt::format("the model has no parameter '{}'", name), {},
                      known.empty() ? "it has none at all" : suggest(std::string(name), known));
  }
  if (!std::isfinite(value)) {
    throw input_error("bad-number", fmt::format("the parameter '{}' is {}", name, value), {}, "give a finite number");
  }
  const auto k = static_cast<std::size_t>(found - system_.parameters.begin());
  if (!any_follows_) {
    values_[k] = value;
    return;
  }
  std::vector<std::optional<double>> assigned = assigned_;
  assigned[k] = value;
  values_ = parameter_values<double>(system_, assigned);
  assigned_ = std::move(assigned);
}

}  // namespace actio
