#include "common/sundials.hpp"

#include "double_pendulum/equations.hpp"

namespace actio::bench::double_pendulum {

std::vector<competitor> sundials_methods() { return sundials_competitors(start, until, equations()); }

}  // namespace actio::bench::double_pendulum
