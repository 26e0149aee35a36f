// A pendulum from a Lagrangian written in C++: 1000 steps of Simpson's integrator and their certificate.
#include <actio/actio.hpp>
#include <cstdio>

int main() {
  const auto pendulum =
      actio::lagrangian_system::from("pendulum", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 + cos(q[0]); });
  const actio::integrator<double> simpson(pendulum, {.method = "simpson", .step = 0.05});
  auto state = simpson.at_velocity({2.0}, {0.0});
  const auto report = actio::run(simpson, state, 1000);
  std::fputs(to_text(report).c_str(), stdout);
}
