// Everything that a kernel of trajectories is made of, and its text carried out with numbers.
#pragma once

#include <algorithm>
#include <vector>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/number_builder.hpp"
#include "actio/backend/kernel/trajectory_code.hpp"
#include "actio/backend/llvm/dataflow.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/host_functions.hpp"
#include "actio/backend/program_bytes.hpp"
#include "actio/backend/trajectory_kernel.hpp"
#include "actio/integrate/gauss_tables.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio::testing {

inline double called(operation op, double x, double y) {
  if (machine_code::is_outside(op)) return machine_code::outside_value(op, x, y);
  return operand_count(op) == 1 ? machine_code::value_of(op, x) : machine_code::value_of(op, x, y);
}

struct kernel_bench {
  kernel_bench(const model& m, std::size_t points)
      : kernel_bench(m, kernel::gauss_trajectories(make_gauss_tables(points))) {}
  kernel_bench(const model& m, std::shared_ptr<const kernel::trajectory_method> method)
      : flow(m.system, {.method = "gauss-2", .step = 0.1}), parameters(flow.space().parameters().values()) {
    code.method = std::move(method);
    code.field = *hamilton_program(*flow.space().code());
    code.certificate = *certificate_program(*flow.space().code(), parameter_role::shared);
    code.rows = {m.system.size(), code.method->memory(2 * m.system.size()), 0, flow.space().momentum_names().size(), 0};
    code.has_power = flow.space().has_power();
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
    const machine_code::dataflow field = machine_code::analyse(code.field.field),
                                 certificate = machine_code::analyse(code.certificate);
    code.method->write(b, {code, field, certificate, kernel::number_builder::rows(rows.data(), 1), 0, steps,
                           fixed_of(code.field.field), fixed_of(code.certificate)});
    return rows;
  }

  // Without what steps remember: what a lane that has ended last saw of the field means nothing.
  std::vector<double> meant(std::vector<double> rows) const {
    std::fill_n(rows.begin() + static_cast<std::ptrdiff_t>(code.rows.memory(0)), code.rows.remembered, 0.0);
    return rows;
  }

  integrator<double> flow;
  std::vector<double> parameters;
  kernel::trajectory_code code;
};

}  // namespace actio::testing
