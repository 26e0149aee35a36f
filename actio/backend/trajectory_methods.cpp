#include <fmt/format.h>

#include "actio/backend/kernel/galerkin_text.hpp"
#include "actio/backend/kernel/gauss_text.hpp"
#include "actio/backend/kernel/text_method.hpp"

namespace actio::kernel {

step_text gauss_trajectories(gauss_tables tables, const field_code& field) {
  tables.inverse_mass = field.inverse_mass;
  std::string name = fmt::format("gauss {}", tables.points);
  for (const auto& [row, column] : tables.inverse_mass) name += fmt::format(" {},{}", row, column);
  return {std::make_shared<text_method<gauss_text, gauss_tables>>(std::move(name), std::move(tables)), field.field};
}

step_text newton_trajectories(const std::string& scheme, newton_tables tables, program iteration) {
  return {std::make_shared<text_method<galerkin_text, newton_tables>>("newton " + scheme, std::move(tables)),
          std::move(iteration)};
}

}  // namespace actio::kernel
