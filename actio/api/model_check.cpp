#include "actio/api/model_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "actio/base/largest.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/expr/print.hpp"
#include "actio/integrate/stability.hpp"
#include "actio/io/json_report.hpp"
#include "actio/mechanics/hamiltonian_map.hpp"
#include "actio/mechanics/model_file.hpp"
#include "actio/simulate/run_settings.hpp"

namespace actio {

namespace {

constexpr std::size_t most_characters = 1500, most_lines = 24;

// Long formulas are cut; --json has them in full.
std::string shown(const expr& e) {
  std::string text = actio::to_text(e);
  if (text.size() <= most_characters) return text;
  return text.substr(0, most_characters) + " ... (" + std::to_string(text.size()) +
         named_options(" characters, all of them in @json)");
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// One entry of the description: its name once, its lines aligned behind it.
class section {
 public:
  explicit section(std::string_view name) : text_(fmt::format("  {:<14}", name)) {}

  void line(const std::string& content) {
    if (++lines_ > most_lines) return;
    text_ += (lines_ > 1 ? std::string(16, ' ') : "") + content + "\n";
  }
  std::string text() const {
    if (lines_ == 0) return "";
    return lines_ <= most_lines ? text_ : text_ + fmt::format("{:16}... and {} more\n", "", lines_ - most_lines);
  }

 private:
  std::string text_;
  std::size_t lines_ = 0;
};

std::string names_text(const lagrangian_system& system, const model_facts& facts) {
  section coordinates("coordinates"), parameters("parameters"), definitions("definitions");
  std::string names;
  for (const std::string& name : system.coordinate_names()) names += (names.empty() ? "" : ", ") + name;
  coordinates.line(names);
  for (std::size_t k = 0; k < system.parameters.size(); ++k) {
    const named_expr& p = system.parameters[k];
    const std::string formula = p.value.is_number() ? "" : " = " + shown(p.value);
    parameters.line(fmt::format("{}{} = {:.10g}", p.name, formula, facts.parameters[k]));
  }
  for (const named_expr& d : system.definitions) definitions.line(d.name + " = " + shown(d.value));
  return coordinates.text() + parameters.text() + definitions.text();
}

bool is_indexed(const model& m) { return m.indices && (!m.indices->sizes.empty() || !m.indices->tables.empty()); }

// A model in indices as it was typed: its members would be many.
std::string indexed_text(const model& m, const model_facts& facts) {
  const file_value root = read_tables(m.text, m.file);
  section coordinates("coordinates"), sizes("sizes"), tables("tables");
  std::string names;
  if (const file_entry* entry = find_entry(root, "coordinates")) {
    for (const file_value& item : entry->value.items) names += (names.empty() ? "" : ", ") + item.source.text;
  }
  coordinates.line(names);
  for (const auto& [name, value] : m.indices->sizes) sizes.line(fmt::format("{} = {}", name, value));
  for (const auto& [name, table] : m.indices->tables) {
    tables.line(fmt::format("{}: {} of {}", name, counted(table.rows.size(), "row"), fmt::join(table.columns, ", ")));
  }
  std::string text = coordinates.text() + sizes.text() + tables.text();
  const auto typed = [](const file_value& value) {
    return value.kind == file_value_kind::array ? counted(value.items.size(), "value") : value.source.text;
  };
  const auto& known = m.system.parameters;
  for (const std::string table : {"parameters", "definitions", "lagrangian", "hamiltonian", "equations", "forces",
                                  "constraints", "observables", "invariants"}) {
    const file_entry* entry = find_entry(root, table);
    if (entry == nullptr) continue;
    section lines(table == "lagrangian" ? "Lagrangian" : table == "hamiltonian" ? "Hamiltonian" : table);
    if (entry->value.kind != file_value_kind::table) lines.line(typed(entry->value));
    for (const file_entry& e : entry->value.entries) {
      const auto single = std::ranges::find(known, e.key, &named_expr::name);
      const bool has_value = table == "parameters" && single != known.end();
      lines.line(e.key + " = " +
                 (has_value ? fmt::format("{:.10g}", facts.parameters[single - known.begin()]) : typed(e.value)));
    }
    text += lines.text();
  }
  return text;
}

std::string first_order_text(const lagrangian_system& system, const model_facts& facts, bool shows_laws) {
  section equations("equations"), size("size"), structure("structure"), initial("initial state");
  for (std::size_t i = 0; i < system.size(); ++i) {
    const std::string& name = system.coordinates[i].name();
    if (shows_laws) equations.line(fmt::format("{}' = {}", name, shown(system.equations[i])));
    initial.line(fmt::format("{0} = {1:.10g}, {0}' = {2:.10g}", name, facts.position[i], facts.velocity[i]));
  }
  size.line(fmt::format("{} and {}; {} operations for the right-hand sides", counted(system.size(), "coordinate"),
                        counted(system.parameters.size(), "parameter"), facts.value_operations));
  structure.line(fmt::format("first order, without a Lagrangian: no momenta and no energy; {}",
                             facts.structure.is_time_dependent ? "depends on time" : "does not depend on time"));
  return equations.text() + size.text() + structure.text() + initial.text();
}

std::string laws_text(const lagrangian_system& system, const model_facts& facts) {
  const bool has_hamiltonian = system.is_hamiltonian();
  section lagrangian(has_hamiltonian ? "Hamiltonian" : "Lagrangian"), forces("forces"), constraints("constraints");
  section equations("equations");
  lagrangian.line(shown(has_hamiltonian ? *system.hamiltonian : system.lagrangian));
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    if (!system.forces[i].is_zero()) forces.line("on " + system.coordinates[i].name() + ": " + shown(system.forces[i]));
  }
  if (system.applied_force) forces.line("F(t, q, v), computed by the program, beside the equations below");
  for (const named_expr& g : system.constraints) {
    constraints.line(fmt::format("{}: {} = 0, multiplier {}", g.name, shown(g.value), multiplier_symbol(g).name()));
  }
  if (has_hamiltonian) {
    const hamilton_equations motion = hamilton_equations_of(system);
    for (std::size_t i = 0; i < system.size(); ++i) {
      const expr& q = system.coordinates[i];
      equations.line(velocity_symbol(q).name() + " = " + shown(motion.velocity[i]));
      equations.line(momentum_rate_symbol(q).name() + " = " + shown(motion.force[i]));
    }
  } else {
    for (const expr& e : facts.equations) equations.line(shown(e) + " = 0");
  }
  return lagrangian.text() + forces.text() + constraints.text() + equations.text();
}

std::string size_text(const lagrangian_system& system, const model_facts& facts) {
  section size("size");
  if (system.is_constrained()) {
    size.line(fmt::format("{} and {}: {} left free", counted(system.size(), "coordinate"),
                          counted(system.constraints.size(), "constraint"), system.size() - system.constraints.size()));
  }
  size.line(fmt::format("{} and {}; {} operations for {}, {} for its first derivatives",
                        counted(system.size(), "coordinate"), counted(system.parameters.size(), "parameter"),
                        facts.value_operations, system.is_hamiltonian() ? "H" : "L", facts.gradient_operations));
  return size.text();
}

std::string structure_text(const model_structure& s, bool has_hamiltonian) {
  if (has_hamiltonian) {
    return fmt::format("  {:<14}{}, {}, {}, {}\n", "structure",
                       s.is_quadratic ? "quadratic in the momenta" : "not quadratic in the momenta",
                       s.is_separable ? "separable" : "not separable",
                       s.is_time_dependent ? "depends on time" : "does not depend on time",
                       s.is_forced ? "forced" : "no forces");
  }
  return fmt::format("  {:<14}{}, {} mass matrix, {}, {}, {}\n", "structure",
                     s.is_quadratic ? "quadratic in the velocities" : "not quadratic in the velocities",
                     s.has_constant_mass ? "constant" : "varying", s.is_separable ? "separable" : "not separable",
                     s.is_time_dependent ? "depends on time" : "does not depend on time",
                     s.is_forced ? "forced" : "no forces");
}

std::string row_text(const matrix<double>& a, std::size_t i) {
  std::string text = "(";
  for (std::size_t j = 0; j < a.columns(); ++j) text += fmt::format("{}{:.6g}", j ? "  " : "", a(i, j));
  return text + ")";
}

constexpr std::size_t most_rows = 8;  // of matrices that are shown

std::string form_text(const form_facts& form) {
  section phi("form phi"), xi("xi"), zeta("zeta");
  phi.line(fmt::format("1/2 p.xi p + 1/2 q.zeta q = {:.10g} at the start, conserved with step {:.8g}", form.initial,
                       form.step));
  if (largest_size<double>(form.eta.data()) > 1e-12 * largest_size<double>(form.xi.data())) {
    phi.line("and a term p.eta q, since the method is not symmetric");
  }
  for (std::size_t i = 0; i < form.xi.rows() && form.xi.rows() <= most_rows; ++i) {
    xi.line(row_text(form.xi, i));
    zeta.line(row_text(form.zeta, i));
  }
  return phi.text() + xi.text() + zeta.text();
}

std::string linear_text(const linear_facts& linear) {
  section mass("mass"), damping("damping"), stiffness("stiffness"), load("load"), frequencies("frequencies");
  section limit("longest step");
  if (linear.mass.rows() <= most_rows) {
    for (std::size_t i = 0; i < linear.mass.rows(); ++i) {
      mass.line(row_text(linear.mass, i));
      stiffness.line(row_text(linear.stiffness, i));
      if (linear.damping.rows() > 0) damping.line(row_text(linear.damping, i));
      if (!linear.varying.empty()) load.line(linear.varying[i]);
      if (!linear.load.empty()) load.line(fmt::format("{:.6g}", linear.load[i]));
    }
  }
  for (const double w : linear.frequencies) {
    frequencies.line(w > 0 ? fmt::format("{:.10g} (period {:.6g})", w, 2 * pi_value<double>() / w)
                           : "0 (rigid motion)");
  }
  for (const damped_mode& one : linear.damped) {
    frequencies.line(one.frequency > 0
                         ? fmt::format("{:.10g} (period {:.6g}), {} like exp({:.6g} t)", one.frequency,
                                       2 * pi_value<double>() / one.frequency, one.decay < 0 ? "growing" : "decaying",
                                       -one.decay)
                         : fmt::format("0, {} like exp({:.6g} t)", one.decay < 0 ? "growing" : "decaying", -one.decay));
  }
  const bool has_interval = !linear.stable_intervals.empty();
  limit.line(linear.stability && !has_interval ? fmt::format("{} with method {}", linear.longest_step, linear.method)
             : linear.stability ? fmt::format("{} with method {}, which is stable for {}", linear.longest_step,
                                              linear.method, interval_text(*find_method(linear.method)))
                                : fmt::format("no limit with method {}", linear.method));
  if (linear.sure_step) {
    limit.line(
        fmt::format("below {:.6g} for sure, by the largest eigenvalue of the stiffness and the smallest of the mass",
                    *linear.sure_step));
  }
  return mass.text() + damping.text() + stiffness.text() + load.text() + frequencies.text() + limit.text() +
         (linear.form ? form_text(*linear.form) : "");
}

// "x1, x2 move by 1, y moves by x".
std::string generator_text(const lagrangian_system& system, const std::vector<expr>& generator) {
  std::string text;
  std::vector<char> listed(generator.size(), 0);
  for (std::size_t i = 0; i < generator.size(); ++i) {
    if (listed[i] != 0 || generator[i].is_zero()) continue;
    std::string names;
    std::size_t count = 0;
    for (std::size_t j = i; j < generator.size(); ++j) {
      if (!(generator[j] == generator[i])) continue;
      listed[j] = 1;
      names += (count++ > 0 ? ", " : "") + system.coordinates[j].name();
    }
    text += fmt::format("{}{} {} by {}", text.empty() ? "" : ", ", names, count > 1 ? "move" : "moves",
                        shown(generator[i]));
  }
  return text;
}

std::string symmetries_text(const lagrangian_system& system, const model_facts& facts) {
  section symmetries("symmetries");
  for (const momentum_fact& m : facts.momenta) {
    if (m.origin == momentum_origin::cyclic || m.origin == momentum_origin::invariant) continue;
    symmetries.line(fmt::format("{} ({}): {}", m.name, actio::to_text(m.origin), generator_text(system, m.generator)));
  }
  if (facts.untracked_symmetries > 0) {
    symmetries.line(fmt::format("{} more, whose momenta are not followed", facts.untracked_symmetries));
  }
  if (const std::string limits = limits_of(facts.searched); !limits.empty()) symmetries.line(limits);
  return symmetries.text();
}

std::string start_text(const lagrangian_system& system, const model_facts& facts) {
  section cyclic("cyclic"), conserved("conserved"), initial("initial state");
  for (const std::string& name : facts.cyclic) cyclic.line(name);
  const bool keeps_energy = !facts.structure.is_time_dependent && !facts.structure.is_forced;
  if (keeps_energy) conserved.line(fmt::format("energy: {:.10g}", facts.energy));
  for (const momentum_fact& m : facts.momenta) {
    const std::string formula = actio::to_text(m.formula) == m.name ? "" : " = " + shown(m.formula);
    conserved.line(fmt::format("{}{}: {:.10g}", m.name, formula, m.initial));
  }
  for (std::size_t i = 0; i < system.size(); ++i) {
    const std::string& name = system.coordinates[i].name();
    initial.line(fmt::format("{0} = {1:.10g}, {0}' = {2:.10g}, p_{0} = {3:.10g}", name, facts.position[i],
                             facts.velocity[i], facts.momentum[i]));
  }
  for (std::size_t c = 0; c < facts.multipliers.size(); ++c) {
    initial.line(fmt::format("{} = {:.10g}", multiplier_symbol(system.constraints[c]).name(), facts.multipliers[c]));
  }
  if (!keeps_energy) initial.line(fmt::format("energy = {:.10g}", facts.energy));
  section projected("projected");
  if (facts.projection) {
    projected.line(fmt::format("the start: positions moved by at most {:.3g}, momenta by {:.3g}",
                               facts.projection->position, facts.projection->momentum));
  }
  return cyclic.text() + symmetries_text(system, facts) + conserved.text() + initial.text() + projected.text();
}

std::string to_text(const model& m, const model_facts& facts) {
  const bool in_indices = is_indexed(m);
  const std::string dynamics = m.system.is_first_order()
                                   ? first_order_text(m.system, facts, !in_indices)
                                   : (in_indices ? "" : laws_text(m.system, facts)) + size_text(m.system, facts) +
                                         structure_text(facts.structure, m.system.is_hamiltonian()) +
                                         (facts.linear ? linear_text(*facts.linear) : "") + start_text(m.system, facts);
  const std::string zeros = note_of_zeros(m.initial);
  return fmt::format("{} ({})\n{}{}{}", m.system.name, m.file,
                     in_indices ? indexed_text(m, facts) : names_text(m.system, facts), dynamics,
                     zeros.empty() ? "" : fmt::format("  {:<14}{}\n", "left out", zeros));
}

}  // namespace

model_check_result check_model(const model& m, const model_check_options& options) {
  model checked = m;
  if (const auto project = options.given.find("project")) checked.run.set("project", *project);
  check_run(checked);
  model_check_result result{.facts = facts_of(checked), .text = {}, .json = {}};
  result.text = to_text(checked, result.facts);
  result.json = to_json(checked, result.facts);
  return result;
}

}  // namespace actio
