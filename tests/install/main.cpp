// A chain of pendulums written in C++, run with an installed actio; prints its energy error and what is conserved.
#include <actio/actio.hpp>
#include <cstdio>

int main() {
  using namespace actio;
  const model ring = model_builder("ring")
                         .coordinates("q", 3)
                         .lagrangian([](const model_symbols& s) {
                           expr L;
                           for (std::size_t i = 0; i < s.size(); ++i) {
                             L += pow(s.velocity(i), 2) / 2 + cos(s.position((i + 1) % s.size()) - s.position(i));
                           }
                           return L;
                         })
                         .initial_position({0, 0.5, 1})
                         .initial_velocity({0, 0, 0.25})
                         .option("method", "gauss-4")
                         .option("step", 0.1)
                         .option("steps", 200)
                         .build();
  const simulation_result result = simulate(ring, {});
  std::fputs(result.text.c_str(), stdout);
  return result.status == run_status::done && result.is_trusted ? 0 : 1;
}
