#include "common/sundials.hpp"

#include "kepler/equations.hpp"

namespace actio::bench::kepler {

std::vector<competitor> sundials_methods() { return sundials_competitors(start(), until, equations()); }

}  // namespace actio::bench::kepler
