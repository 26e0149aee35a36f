#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "lagrange_top/equations.hpp"
#include "problems/problem.hpp"

namespace actio::bench {

namespace {

constexpr std::size_t periods = 1000;

lagrange_top::top top_of(const model& m) {
  const auto value = [&](const std::string& text) {
    return quantity_value<double>(m.system, parse_quantity(m, {text, {}, "benchmark"}));
  };
  return {value("I1"),
          value("I3"),
          value("m*g*l"),
          value("I1*sin(theta0)^2*phi_rate + I3*(psi_rate + phi_rate*cos(theta0))*cos(theta0)"),
          value("I3*(psi_rate + phi_rate*cos(theta0))"),
          value("theta0"),
          value("1000*nutation_period")};
}

}  // namespace

contest lagrange_top_contest() {
  using namespace lagrange_top;
  const model m = parse_model(std::string(find_problem("lagrange-top")->text), "lagrange-top");
  const top t = top_of(m);
  contest c{
      .id = "lagrange-top",
      .title = "Lagrange's top",
      .statement = "the top of the catalogue; 1000 nutation periods, t = 1846.7 s",
      .error_means = "largest error of the three angles at the end",
      .targets = {1e-4, 1e-6, 1e-7, 1e-8, 1e-9},
      .reference =
          [m] {
            const auto answer = find_problem("lagrange-top")->exact.answer<quad>(m);
            const quad end = quantity_value<quad>(m.system, parse_quantity(m, {"1000*nutation_period", {}, "until"}));
            const auto last = answer.motion(end), first = answer.motion(quad(end / static_cast<double>(periods)));
            // Each nutation adds the same angles: a second way to the same end.
            double apart = 0;
            for (std::size_t i = 0; i < 3; ++i) {
              const quad begin = i == 1 ? first.position[1] : quad(0);
              const quad again = begin + (first.position[i] - begin) * static_cast<double>(periods);
              apart = std::max(apart, std::abs(to_double(quad(last.position[i] - again))));
            }
            return reference_answer{largest_error(last.position, 3), apart,
                                    "the exact motion at its end and a thousand times its first period"};
          },
      .energy =
          [t](const std::vector<double>& y) {
            const auto energy = [&](double theta, double p_theta) {
              const double s = std::sin(theta), u = std::cos(theta), across = (t.p_phi - t.p_psi * u) / s;
              return (p_theta * p_theta + across * across) / (2 * t.I1) + t.p_psi * t.p_psi / (2 * t.I3) + t.weight * u;
            };
            const double first = energy(t.theta, 0);
            return (energy(y[1], y.size() > 4 ? y[4] : y[3]) - first) / std::abs(first);
          },
      .competitors = actio_methods()};
  append(c.competitors, odeint_methods(t));
  return c;
}

}  // namespace actio::bench
