#include "common/sundials.hpp"

#include "three_body/equations.hpp"

namespace actio::bench::three_body {

std::vector<competitor> sundials_methods() { return sundials_competitors(bodies().start, until, equations()); }

}  // namespace actio::bench::three_body
