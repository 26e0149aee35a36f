#include "common/actio_competitor.hpp"
#include "double_pendulum/equations.hpp"

namespace actio::bench::double_pendulum {

std::vector<competitor> actio_methods() {
  const model m = read_model(ACTIO_BENCH_DIR "/double_pendulum/model.toml");
  return {actio_method(m, "simpson", "10", step_counts(250, 32000)),
          actio_method(m, "lobatto-5", "10", step_counts(40, 640, 2)),
          actio_method(m, "gauss-4", "10", step_counts(40, 640, 2)),
          actio_method(m, "gauss-6", "10", step_counts(20, 240, 3)),
          actio_method(m, "gauss-8", "10", step_counts(14, 120, 4)),
          actio_method(m, "gauss-10", "10", step_counts(10, 80, 4))};
}

}  // namespace actio::bench::double_pendulum
