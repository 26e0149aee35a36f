#include "papers/rojas2025/rojas2025.hpp"

namespace actio::papers {

void reproduce_rojas2025(reproduction& r) {
  double_pendulum_study pendulum(r);
  top_study top(r);
  cusped_top_study cusped(r);
  r.work();
  pendulum.write(r);
  top.write(r);
  cusped.write(r);
}

}  // namespace actio::papers
