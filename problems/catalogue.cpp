// The list of built-in problems, and what MODEL means on the command line.
#include <algorithm>
#include <filesystem>
#include <string>

#include "actio/analysis/modal_motion.hpp"
#include "problems/problems.hpp"

namespace actio {

const std::vector<problem>& problem_catalogue() {
  static const std::vector<problem> catalogue = {
      problems::harmonic_oscillator(),
      problems::pendulum(),
      problems::double_pendulum(),
      problems::linear_double_pendulum(),
      problems::spring_pendulum(),
      problems::spherical_pendulum(),
      problems::foucault_pendulum(),
      problems::damped_driven_pendulum(),
      problems::lagrange_top(),
      problems::cusped_lagrange_top(),
      problems::reduced_lagrange_top(),
      problems::kepler(),
      problems::outer_solar_system(),
      problems::pythagorean_three_body(),
      problems::arenstorf(),
      problems::pleiades(),
      problems::henon_heiles(),
      problems::toda_lattice(),
      problems::charged_particle(),
      problems::relativistic_oscillator(),
      problems::spherical_pendulum_rod(),
      problems::double_spherical_pendulum(),
      problems::triple_pendulum(),
      problems::bead_on_parabola(),
      problems::four_bar_linkage(),
      problems::ellipsoid_geodesic(),
      problems::torus_geodesic(),
      problems::free_rigid_body(),
      problems::tennis_racket(),
      problems::heavy_top(),
      problems::satellite(),
      problems::jointed_bodies(),
      problems::bouncing_ball(),
      problems::woodpecker(),
      problems::thermostat(),
      problems::circle_billiard(),
      problems::stadium_billiard(),
      problems::eccentric_kepler(),
      problems::fput_lattice(),
      problems::star_cluster(),
      problems::sine_gordon(),
      problems::phi_four_field(),
      problems::planar_truss(),
      problems::cloth(),
      problems::hanging_chain(),
      problems::chain_in_angles(),
      problems::inextensible_string(),
      problems::rod_tree(),
      problems::elastic_rod(),
  };
  return catalogue;
}

const problem* find_problem(std::string_view name) {
  const auto& catalogue = problem_catalogue();
  const auto found = std::find_if(catalogue.begin(), catalogue.end(), [&](const problem& p) { return p.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

model load_model(std::string_view name_or_path) {
  if (const problem* known = find_problem(name_or_path)) {
    return parse_model(std::string(known->text), std::string(known->name) + ".toml");
  }
  const std::string path(name_or_path);
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  const bool looks_like_path = path.find_first_of("/\\.") != std::string::npos;
  if (exists || looks_like_path) return read_model(path);
  std::vector<std::string> names;
  for (const problem& p : problem_catalogue()) names.emplace_back(p.name);
  throw input_error("unknown-problem", "'" + path + "' is neither a file nor a built-in problem", {},
                    suggest(path, names));
}

namespace {

std::string names_with_exact_motion() {
  std::string names;
  for (const problem& p : problem_catalogue()) {
    if (p.exact) names += (names.empty() ? "" : ", ") + std::string(p.name);
  }
  return names;
}

}  // namespace

template <class S>
exact_answer<S> exact_answer_of(std::string_view name_or_path, const model& m) {
  const auto changes = [](const model_event& e) { return e.stops || !e.set.empty(); };
  if (std::ranges::any_of(m.events, changes) || !m.controls.empty()) {
    return {.obstacle = "it is known where neither events nor controls change the motion"};
  }
  const problem* known = find_problem(name_or_path);
  if (known != nullptr && known->exact) return known->exact.answer<S>(m);
  if (exact_motion<S> modes = modal_motion_of<S>(m)) return {.motion = std::move(modes)};
  return {.obstacle = "it is known for linear systems and for " + names_with_exact_motion()};
}

exact_solution exact_solution_of(std::string_view name_or_path) {
  const std::string name(name_or_path);
  return {[name](const model& m) { return exact_answer_of<double>(name, m); },
          [name](const model& m) { return exact_answer_of<quad>(name, m); },
          [name](const model& m) { return exact_answer_of<multi>(name, m); }};
}

#define ACTIO_INSTANTIATE(S) template exact_answer<S> exact_answer_of<S>(std::string_view, const model&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
