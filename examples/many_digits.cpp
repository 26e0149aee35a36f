// The same model in double, quad and 64 digits: an oscillator beside its exact motion cos t.
#include <actio/actio.hpp>
#include <cstdio>

using namespace actio;

// |q(1) − cos 1| of a run by a hundred steps.
template <class S>
double error_in(const model& m, const char* precision) {
  simulation_options options;
  options.given = typed_options({{"precision", precision}});
  const simulation_result result = simulate(m, options);
  const S q = std::get<simulated<S>>(result.numbers).report.position[0];
  using std::abs, std::cos;
  const double error = to_double(S(abs(S(q - cos(S(1))))));
  std::printf("  %-6s %s\n         error %.1e\n", precision, to_digits(q).c_str(), error);
  return error;
}

int main() {
  const model oscillator = model_builder("oscillator")
                               .coordinate("q")
                               .lagrangian("q'^2/2 - q^2/2")
                               .initial_position({1})
                               .initial_velocity({0})
                               .option("method", "gauss-10")
                               .option("step", "1/100")
                               .option("until", 1)
                               .build();

  const precision_scope digits(64);  // of numbers with many digits in this program
  const bool in_double = error_in<double>(oscillator, "double") < 1e-15;
  const bool in_quad = error_in<quad>(oscillator, "quad") < 1e-32;
  const bool in_64_digits = error_in<multi>(oscillator, "64") < 1e-50;
  return in_double && in_quad && in_64_digits ? 0 : 1;
}
