// A built-in problem, run with an installed actio.
#include <actio/actio.hpp>
#include <cstdio>
#include <papers/paper_reproduction.hpp>
#include <problems/problem_list.hpp>

int main() {
  const actio::model kepler = actio::load_model("kepler");
  const actio::integrator<double> flow(kepler.system, {.method = "gauss-4", .step = 0.05});
  auto state = flow.at_start(kepler);
  const auto report = actio::run(flow, state, 100);
  std::printf("kepler: %zu steps, %zu papers\n", report.steps, actio::paper_catalogue().size());
}
