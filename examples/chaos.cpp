// How fast neighbours part: the derivative of a step, which is symplectic, and the Lyapunov exponent from many of them.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>
#include <problems/problem.hpp>

using namespace actio;

// The largest entry of ΦᵀJΦ − J.
double symplectic_defect(const matrix<double>& tangent) {
  const std::size_t n = tangent.rows() / 2;
  matrix<double> J(2 * n, 2 * n);
  for (std::size_t i = 0; i < n; ++i) J(i, n + i) = 1, J(n + i, i) = -1;
  const matrix<double> moved = transpose(tangent) * J * tangent;
  double largest = 0;
  for (std::size_t k = 0; k < J.data().size(); ++k) {
    largest = std::max(largest, std::abs(moved.data()[k] - J.data()[k]));
  }
  return largest;
}

double exponent_from(const integrator<double>& flow, double q1, double q2) {
  phase_state<double> state = flow.at_velocity({q1, q2}, {0, 0});
  const auto workspace = flow.make_workspace();
  lyapunov_meter<double> neighbours(4);
  for (int k = 0; k < 20'000; ++k) {
    neighbours.add(*workspace, state);
    if (!workspace->advance(state)) return NAN;
  }
  return neighbours.exponent(state.time);
}

int main() {
  const model pendulum = load_model("double-pendulum");
  const integrator<double> flow(pendulum.system, {.method = "gauss-4", .step = 0.02});

  const phase_state<double> start = flow.at_velocity({2, 2}, {0, 0});
  const double defect = symplectic_defect(flow.make_workspace()->tangent_map(start));
  std::printf("a step changes the symplectic form by %.1e\n", defect);

  const double calm = exponent_from(flow, 0.1, 0.1), wild = exponent_from(flow, 2, 2);
  std::printf("Lyapunov exponents: %.4f for small swings, %.4f for large ones\n", calm, wild);
  return defect < 1e-13 && calm < 0.05 && wild > 0.5 ? 0 : 1;
}
