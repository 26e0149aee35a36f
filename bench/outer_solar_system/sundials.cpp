#include "common/sundials.hpp"

#include "outer_solar_system/equations.hpp"

namespace actio::bench::outer_solar_system {

std::vector<competitor> sundials_methods(const planets& p) {
  return sundials_competitors(start(p), until, equations{p.attraction});
}

}  // namespace actio::bench::outer_solar_system
