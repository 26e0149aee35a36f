#include "common/sundials.hpp"

#include "lagrange_top/equations.hpp"

namespace actio::bench::lagrange_top {

std::vector<competitor> sundials_methods(const top& t) {
  return sundials_competitors(start(t), t.until, equations{t}, -11);
}

}  // namespace actio::bench::lagrange_top
