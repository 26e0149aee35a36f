#include "common/sundials.hpp"

#include "eccentric_kepler/equations.hpp"

namespace actio::bench::eccentric_kepler {

std::vector<competitor> sundials_methods() { return sundials_competitors(start(), until, equations()); }

}  // namespace actio::bench::eccentric_kepler
