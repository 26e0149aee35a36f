#include "common/sundials.hpp"

#include "pleiades/equations.hpp"

namespace actio::bench::pleiades {

std::vector<competitor> sundials_methods() { return sundials_competitors(bodies().start, until, equations()); }

}  // namespace actio::bench::pleiades
