// dubois2023: the pendulum with Newmark's and Simpson's schemes. One period is 4K(k)/ω, k = sin(q0/2)   (25).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "actio/analysis/verification.hpp"
#include "actio/base/largest.hpp"
#include "actio/base/option_naming.hpp"
#include "papers/reproduction.hpp"
#include "problems/jacobi_elliptic.hpp"
#include "problems/problem.hpp"

namespace actio::papers {

namespace {

constexpr std::array<std::size_t, 3> meshes = {50, 100, 200};

real period() { return 4 * complete_elliptic_integral<real>(sqrt(real(0.5))) / (2 * pi_value<real>()); }

error_study table_study(const problem& pendulum, const model& m) {
  error_study study{.m = m,
                    .methods = {{"Newmark", "newmark"}, {"Simpson", "simpson"}},
                    .steps = {},
                    .lengths = {},
                    .quantities = 3,
                    .measure = {}};
  for (std::size_t n : meshes) {
    study.steps.push_back(period() / real(n));
    study.lengths.push_back({n});
  }
  study.measure = [exact = pendulum.exact.of<real>(m)](const integrator<real>& flow, const phase_state<real>& start) {
    return [exact, energy = energy_error(flow, start)](const sample<real>& now, std::span<real> errors) {
      const exact_point<real> right = exact(now.state.time);
      errors[0] = abs(real(now.state.momentum[0] - right.momentum[0]));
      errors[1] = abs(real(now.state.position[0] - right.position[0]));
      energy(now, errors.subspan(2));
    };
  };
  return study;
}

void fill_table(reproduction& r, const error_study& study) {
  const std::array<const char*, 3> quantities = {"momentum", "state", "relative energy"};
  const std::array<const char*, 2> printed_orders = {"2.0", "4.0"};
  for (std::size_t k = 0; k < study.methods.size(); ++k) {
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      std::vector<double> values = study.printed_row(k, 0, q);
      r.number(fmt::format("order of the {} with {}", quantities[q], study.methods[k].label), printed_orders[k],
               values.back());
      values.pop_back();
      r.row("table-1", {study.methods[k].label, quantities[q]}, values);
    }
  }
}

struct motions {
  recording newmark, simpson;
  int most_iterations = 0;
  double determinant_defect = 0;
};

// Steps of both schemes: Newton's iterations from the last state, as in the paper, and det ∂(q1, p1)/∂(q0, p0).
void look_at_steps(const model& m, motions& seen) {
  for (const char* method : {"newmark", "simpson"}) {
    const integrator<double> flow(m.system,
                                  {.method = method, .step = to_double(period()) / 50, .guess = first_guess::state});
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    for (int step = 0; step < 50; ++step) {
      const matrix<double> tangent = workspace->tangent_map(state);
      const step_status status = workspace->advance(state);
      raise_to(seen.determinant_defect, status ? symplectic_defect(tangent) : std::nan(""));
      seen.most_iterations = std::max(seen.most_iterations, status.iterations);
    }
  }
}

figure exact_motion_figure(const exact_motion<double>& exact) {
  curve q{"q", curve_style::line, {}, {}}, p{"p", curve_style::line, {}, {}};
  constexpr int samples = 1000;
  for (int k = 0; k <= samples; ++k) {
    const double t = 5 * to_double(period()) * k / samples;
    const exact_point<double> point = exact(t);
    q.x.push_back(t);
    p.x.push_back(t);
    q.y.push_back(point.position[0]);
    p.y.push_back(point.momentum[0]);
  }
  return {"figure-1",
          "Figure 1: the pendulum over five periods",
          "The exact motion from rest at π/2 with ω = 2π: its period is 1.18 s, not the 1 s of small swings.",
          {{"angle", "t in s", "q", false, false, false, {q}}, {"momentum", "t in s", "p", false, false, false, {p}}}};
}

figure schemes_figure(const motions& seen, const figure& exact) {
  figure f{"figure-2",
           "Figure 2: Newmark and Simpson with ten steps a period",
           "Five periods. Newmark's scheme falls behind visibly; Simpson's stays on the exact motion.",
           {}};
  curve q = exact.panels[0].curves[0], p = exact.panels[1].curves[0];
  q.name = p.name = "exact";
  f.panels = {{"angle",
               "t in s",
               "q",
               false,
               false,
               false,
               {q, seen.newmark.position(0, "Newmark", curve_style::line_with_points),
                seen.simpson.position(0, "Simpson", curve_style::points)}},
              {"momentum",
               "t in s",
               "p",
               false,
               false,
               false,
               {p, seen.newmark.momentum(0, "Newmark", curve_style::line_with_points),
                seen.simpson.momentum(0, "Simpson", curve_style::points)}}};
  return f;
}

// What the caption of Table 1 and Figure 2 say of Simpson's scheme beside Newmark's.
void state_precision(reproduction& r, const error_study& study, const motions& seen,
                     const exact_motion<double>& exact) {
  std::vector<std::vector<double>> magnitudes;  // [mesh][quantity], powers of ten between both errors
  figure f{"claim-precision",
           "Claim: Simpson's scheme is more precise than Newmark's by three orders of magnitude (Table 1)",
           "Errors of Newmark's scheme over those of Simpson's, against the number of steps a period.",
           {{"", "steps a period", "error of Newmark / error of Simpson", true, true, false, {}}}};
  for (const char* name : {"momentum", "state", "relative energy"}) {
    f.panels[0].curves.push_back({name, curve_style::line_with_points, {}, {}});
  }
  for (std::size_t j = 0; j < meshes.size(); ++j) {
    magnitudes.emplace_back();
    for (std::size_t q = 0; q < study.quantities; ++q) {
      const double factor = study.errors[0][j][0][q] / study.errors[1][j][0][q];
      magnitudes.back().push_back(std::log10(factor));
      f.panels[0].curves[q].x.push_back(static_cast<double>(meshes[j]));
      f.panels[0].curves[q].y.push_back(factor);
    }
  }
  const auto [least, most] = std::ranges::minmax(magnitudes.front());
  const auto [last_least, last_most] = std::ranges::minmax(magnitudes.back());
  r.statement_in_part(
      "Table 1: Simpson's scheme is more precise by about three orders of magnitude at equal step", "about 3",
      fmt::format("{:.2f} to {:.2f} at {} steps a period, {:.2f} to {:.2f} at {}", least, most, meshes.front(),
                  last_least, last_most, meshes.back()),
      about(fmt::format("at {} steps", meshes.front()), within_range(least, most, 3, 1)),
      about(fmt::format("at {} steps", meshes.back()), within_range(last_least, last_most, 3, 1)),
      fmt::format("three at {} steps; more at shorter ones, for the orders are 4 and 2", meshes.front()));
  r.add(std::move(f));
  const double energy = study.errors[0][0][0][2];
  r.statement("Newmark's scheme does not keep the energy of the nonlinear pendulum", "not strictly constant",
              fmt::format("relative error {} at {} steps a period", two_digits(energy), meshes.front()),
              about("error", at_least(energy, 1e-6)));
  const auto distance = [&](const recording& motion) {
    std::vector<double> right;
    for (double t : motion.t) right.push_back(exact(t).position[0]);
    return visible_distance(motion.q[0], right);
  };
  const double newmark = distance(seen.newmark), simpson = distance(seen.simpson);
  r.statement("Figure 2: Newmark's errors are clearly visible, Simpson's scheme is still very precise", "yes",
              fmt::format("{} and {} of the range of q over five periods", two_digits(newmark), two_digits(simpson)),
              about("Newmark", at_least(newmark, 0.1)) && about("Simpson", at_most(simpson, line_width)));
}

}  // namespace

void reproduce_dubois2023(reproduction& r) {
  const problem& pendulum = *find_problem("pendulum");
  const model m = load_model("pendulum");
  error_study study = table_study(pendulum, m);
  motions seen;
  study.gather(r);
  r.task(1, [&] { look_at_steps(m, seen); });
  r.task(1, [&] { seen.newmark = record(m, {.method = "newmark", .step = to_double(period()) / 10}, 50); });
  r.task(1, [&] { seen.simpson = record(m, {.method = "simpson", .step = to_double(period()) / 10}, 50); });
  r.work();

  fill_table(r, study);
  r.result("the period (25); that of small swings is 2π/ω = 1 s", six_digits(to_double(period())) + " s");
  r.statement("both schemes preserve area: ΦᵀJΦ = J", "yes", fmt::format("to {}", two_digits(seen.determinant_defect)),
              about("defect", at_most(seen.determinant_defect, 1e-13)));
  r.statement("Newton's method reaches machine accuracy in five iterations", "5",
              fmt::format("at most {}", seen.most_iterations), about("iterations", at_most(seen.most_iterations, 5)),
              named_options("50 meshes a period, begun at the last state as in the paper (@guess=state)"));
  state_precision(r, study, seen, pendulum.exact.of<double>(m));
  const figure exact = exact_motion_figure(pendulum.exact.of<double>(m));
  r.add(exact);
  r.add(schemes_figure(seen, exact));
}

}  // namespace actio::papers
