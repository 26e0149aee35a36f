#include <fmt/format.h>

#include "actio/mechanics/phase_space.hpp"

namespace actio {

template <class S>
void require_parameters(const lagrangian_system& system, std::span<const S> values) {
  const std::vector<named_expr>& parameters = system.parameters;
  if (values.size() != parameters.size()) {
    throw input_error("bad-number",
                      fmt::format("{} values were given for {} parameters", values.size(), parameters.size()), {},
                      "give one value for each parameter, in the order of the model");
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (is_finite(values[k])) continue;
    throw input_error("bad-number", fmt::format("the parameter '{}' is {}", parameters[k].name, to_brief(values[k], 6)),
                      parameters[k].place, "give it a value within the domain of the model");
  }
}

#define ACTIO_INSTANTIATE(S) template void require_parameters<S>(const lagrangian_system&, std::span<const S>);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
