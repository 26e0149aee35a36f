// Everything that a kernel of trajectories is made of, and its text carried out with numbers.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/dataflow.hpp"
#include "actio/backend/kernel/number_builder.hpp"
#include "actio/backend/kernel/trajectory_code.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/host_functions.hpp"
#include "actio/backend/program_bytes.hpp"
#include "actio/backend/trajectory_kernel.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio::testing {

inline double called(operation op, double x, double y) {
  if (machine_code::is_outside(op)) return machine_code::outside_value(op, x, y);
  return operand_count(op) == 1 ? machine_code::value_of(op, x) : machine_code::value_of(op, x, y);
}

struct kernel_bench {
  // A method of the catalogue; with parameters of its own each trajectory takes those of the model, which may be
  // changed in its rows.
  kernel_bench(const model& m, const std::string& method, parameter_role role = parameter_role::shared)
      : flow(m.system, {.method = method, .step = 0.1}), parameters(flow.space().parameters().values()) {
    prepare(flow.method().text(*flow.space().code(), role).value(), role);
  }
  // On Hamilton's equations.
  kernel_bench(const model& m, std::shared_ptr<const kernel::trajectory_method> method)
      : flow(m.system, {.method = "gauss-2", .step = 0.1}), parameters(flow.space().parameters().values()) {
    prepare({std::move(method), hamilton_program(*flow.space().code())->field}, parameter_role::shared);
  }

  // The rows of a trajectory that begins a little beside the model's.
  std::vector<double> start(const model& m, std::size_t k, double h, std::size_t steps) const {
    std::vector<double> rows(code.rows.count(), 0.0);
    const double shift = 0.01 * static_cast<double>(k);
    const phase_state<double> s = flow.at_start(m);
    for (std::size_t a = 0; a < m.system.size(); ++a) {
      rows[code.rows.state(a)] = s.position[a] + shift;
      rows[code.rows.state(m.system.size() + a)] = s.momentum[a] * (1 - 0.5 * shift);
    }
    rows[code.rows.step()] = h;
    rows[code.rows.steps()] = static_cast<double>(steps);
    rows[code.rows.lives()] = 1;
    rows[code.rows.missing()] = stage_rules::floor_of_missing;
    for (std::size_t k = 0; k < code.rows.varied; ++k) rows[code.rows.parameter(k)] = own_parameters[k];
    return rows;
  }

  std::vector<std::vector<double>> in_lanes(const std::vector<std::vector<double>>& starts, std::size_t lanes,
                                            std::size_t steps, std::size_t a_call) const {
    return in_lanes_of(*make_trajectory_kernel(code, parameters, lanes), starts, steps, a_call);
  }
  // As many as the kernel has lanes at a time.
  std::vector<std::vector<double>> in_lanes_of(trajectory_kernel& kernel,
                                               const std::vector<std::vector<double>>& starts, std::size_t steps,
                                               std::size_t a_call) const {
    const std::size_t lanes = kernel.lanes();
    std::vector<std::vector<double>> ends = starts;
    for (std::size_t first = 0; first < starts.size(); first += lanes) {
      kernel.clear(std::min(lanes, starts.size() - first));
      for (std::size_t r = 0; r < code.rows.count(); ++r) {
        for (std::size_t l = 0; l < lanes; ++l) kernel.row(r)[l] = starts[std::min(first + l, starts.size() - 1)][r];
      }
      kernel.accept_changes();
      for (std::size_t k = 0; k < steps; k += a_call) kernel.run(k, std::min(k + a_call, steps));
      for (std::size_t r = 0; r < code.rows.count(); ++r) {
        for (std::size_t l = 0; l < lanes && first + l < starts.size(); ++l) ends[first + l][r] = kernel.row(r)[l];
      }
    }
    return ends;
  }

  std::vector<double> with_numbers(std::vector<double> rows, std::size_t steps) const {
    kernel::number_builder b(called);
    const auto fixed_of = [&](const program& p) {
      return [fixed = machine_code::fixed_with(p, parameters)](std::size_t k) { return fixed[k]; };
    };
    const kernel::dataflow equations = kernel::analyse(code.step.equations),
                           certificate = kernel::analyse(code.certificate);
    code.step.method->write(b, {code, equations, certificate, kernel::number_builder::rows(rows.data(), 1), 0, steps,
                                fixed_of(code.step.equations), fixed_of(code.certificate)});
    return rows;
  }

  // Without what steps remember: what a lane that has ended last saw of the field means nothing.
  std::vector<double> meant(std::vector<double> rows) const {
    std::fill_n(rows.begin() + static_cast<std::ptrdiff_t>(code.rows.memory(0)), code.rows.remembered, 0.0);
    return rows;
  }

  integrator<double> flow;
  std::vector<double> parameters, own_parameters;  // of all together, of each
  kernel::trajectory_code code;

 private:
  void prepare(kernel::step_text step, parameter_role role) {
    const std::size_t n = flow.space().size();
    if (role == parameter_role::variable) own_parameters = std::exchange(parameters, {});
    code.step = std::move(step);
    code.certificate = *certificate_program(*flow.space().code(), role);
    code.rows = {n, code.step.method->memory(2 * n), own_parameters.size(), flow.space().momentum_names().size(), 0};
    code.has_power = flow.space().has_power();
  }
};

}  // namespace actio::testing
