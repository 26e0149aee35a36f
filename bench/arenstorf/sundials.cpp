#include "common/sundials.hpp"

#include "arenstorf/equations.hpp"

namespace actio::bench::arenstorf {

std::vector<competitor> sundials_methods() { return sundials_competitors(start(), until, equations()); }

}  // namespace actio::bench::arenstorf
