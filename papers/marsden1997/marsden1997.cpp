#include "papers/marsden1997/marsden1997.hpp"

namespace actio::papers {

void reproduce_marsden1997(reproduction& r) {
  schemes_study schemes(r);
  rigid_body_study body(r);
  double_pendulum_in_space_study pendulum(r);
  initial_data_study data(r);
  shake_study shake(r);
  work_study work(r);
  r.work();
  schemes.write(r);
  body.write(r);
  pendulum.write(r);
  data.write(r);
  shake.write(r);
  work.write(r);
}

}  // namespace actio::papers
