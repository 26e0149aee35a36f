#include <fmt/format.h>

#include "actio/backend/kernel/gauss_text.hpp"
#include "actio/backend/kernel/text_method.hpp"

namespace actio::kernel {

std::shared_ptr<const trajectory_method> gauss_trajectories(gauss_tables tables) {
  std::string name = fmt::format("gauss {}", tables.points);
  return std::make_shared<text_method<gauss_text, gauss_tables>>(std::move(name), std::move(tables));
}

}  // namespace actio::kernel
