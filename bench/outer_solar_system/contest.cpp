#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "outer_solar_system/equations.hpp"
#include "problems/problem.hpp"

namespace actio::bench {

namespace {

using namespace outer_solar_system;

planets planets_of(const model& m) {
  planets p{};
  const auto value = [&](const expr& e) { return quantity_value<double>(m.system, e); };
  const char* names[bodies] = {"sun", "jupiter", "saturn", "uranus", "neptune", "pluto"};
  for (std::size_t i = 0; i < bodies; ++i) {
    p.attraction[i] = value(parse_quantity(m, {std::string("G*m_") + names[i], {}, "benchmark"}));
  }
  for (std::size_t i = 0; i < 3 * bodies; ++i) {
    p.position[i] = value(m.initial.position[i].value);
    p.velocity[i] = value(m.initial.rates[i].value);
  }
  return p;
}

}  // namespace

contest outer_solar_system_contest() {
  const model m = parse_model(std::string(find_problem("outer-solar-system")->text), "outer-solar-system");
  const planets p = planets_of(m);
  contest c{.id = "outer-solar-system",
            .title = "Outer solar system",
            .statement = "the sun and five planets, 18 coordinates; 20,000 days, five turns of Jupiter",
            .error_means = "largest error of the positions at the end, in astronomical units",
            .targets = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12},
            .reference =
                [m] {
                  // Gauss methods at quad precision solve 180 equations a step here; an explicit method is as exact.
                  const quad_end exact = quad_reference(m, "mclachlan-8", "20000", 2000, 3000);
                  return reference_answer{largest_error(exact.end, 3 * bodies), exact.uncertainty,
                                          "actio mclachlan-8 at quad precision, 2000 and 3000 steps"};
                },
            .competitors = actio_methods()};
  append(c.competitors, odeint_methods(p));
#ifdef ACTIO_BENCH_SUNDIALS
  append(c.competitors, sundials_methods(p));
#endif
  return c;
}

}  // namespace actio::bench
