#include "actio/simulate/lane_engine.hpp"

#include <algorithm>
#include <cmath>

#include "actio/backend/backend.hpp"
#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/trajectory_kernel.hpp"
#include "actio/base/error.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/simulate/step_kinks.hpp"
#include "actio/simulate/step_limit.hpp"

namespace actio {

namespace {

bool wants_gpus(const ensemble_options& options) { return options.device && options.device->uses_gpus; }

// What a kernel of these steps needs; nothing where there is none.
std::optional<kernel::trajectory_code> trajectory_code_of(const integrator<double>& flow, parameter_role role,
                                                          program certificate, std::size_t watched,
                                                          bool with_neighbours) {
  if (!flow.method().text) return {};
  auto step = flow.method().text(*flow.space().code(), role);
  if (!step) return {};
  const std::size_t varied = role == parameter_role::variable ? flow.space().system().parameters.size() : 0;
  const std::size_t remembered = step->method->memory(2 * flow.space().size());
  return kernel::trajectory_code{.step = std::move(*step),
                                 .certificate = std::move(certificate),
                                 .rows = {flow.space().size(), remembered, varied, flow.space().momentum_names().size(),
                                          watched, with_neighbours ? 1U : 0U},
                                 .has_power = flow.space().has_power()};
}

// Whether the processor moves it: there is machine code, and making it does not take too long.
bool is_worth_compiling(const kernel::trajectory_code& code) {
  const kernel_effort effort = effort_of(code.step.equations);
  return effort != kernel_effort::none && (effort != kernel_effort::huge || default_backend() == backend::machine_code);
}

// Where the end is no multiple of the step, the last one is shorter.
double length_of(const ensemble_options& options, const integrator<double>& flow) {
  return options.until ? std::abs(*options.until - flow.options().start) : 0;
}
bool ends_with_a_shorter_step(const ensemble_options& options, const integrator<double>& flow) {
  return options.until && !options.own_paces &&
         static_cast<double>(options.steps) * std::abs(flow.step()) > length_of(options, flow) * (1 + 1e-12);
}

}  // namespace

std::string lane_engine::obstacle(const ensemble_plan& plan, const lone_engine& alone,
                                  const ensemble_options& options) {
  const lagrangian_system& system = plan.base().system;
  const integrator<double>& flow = alone.flow();
  const std::vector<model_event>& events = options.watched ? *options.watched : plan.base().events;
  const bool ends_short = ends_with_a_shorter_step(options, flow);
  if (options.width == 0) return "lanes are switched off";
  if (options.lyapunov && options.poincare) return "Lyapunov exponents and a section are asked for together";
  if (system.is_first_order()) return "the model gives equations y' = f(t, y)";
  if (!system.constraints.empty()) return "the model has constraints";
  if (system.sums) return "the model's sums are long";
  if (system.applied_force) return "the program computes a force";
  if (system.time_scale) return "the model has a scale of time";
  if (!events.empty() || !plan.base().controls.empty()) return "the model has events, kinks or controls";
  if (options.splits_at_signals && !kink_times_of<double>(flow).empty()) return "steps end at kinks of a signal";
  if (system.is_time_dependent() && flow.options().start != 0)
    return "the model depends on time and starts at another than 0";
  if (ends_short && options.poincare) return "the last step is shorter than the others, and a section is asked for";
  if (ends_short && system.is_time_dependent())
    return "the last step is shorter than the others, and the model depends on time";
  if (ends_short && flow.space().has_power()) return "the last step is shorter than the others, and forces do work";
  return "";
}

std::unique_ptr<const lane_engine> lane_engine::make(const ensemble_plan& plan, const lone_engine& alone,
                                                     const ensemble_options& options) {
  const lagrangian_system& system = plan.base().system;
  const integrator<double>& flow = alone.flow();
  if (!obstacle(plan, alone, options).empty()) return nullptr;
  const bool ends_short = ends_with_a_shorter_step(options, flow);
  const parameter_role role = plan.varies_parameters() ? parameter_role::variable : parameter_role::shared;
  std::vector<expr> watched;
  if (options.poincare) watched.push_back(options.poincare->value);
  auto certificate = certificate_program(*flow.space().code(), role, watched);
  if (!certificate) return nullptr;
  std::unique_ptr<lane_engine> engine(new lane_engine);
  engine->width_ = options.width;
  engine->size_ = system.size();
  engine->momenta_ = flow.space().momentum_names().size();
  engine->steps_ = options.steps - (ends_short ? 1 : 0);
  engine->start_ = flow.options().start;
  engine->step_ = flow.step();
  engine->has_power_ = flow.space().has_power();
  engine->has_limit_ = plan.varies_parameters() && flow.linear() != nullptr && !options.integrator.allow_unstable;
  engine->has_own_paces_ = options.own_paces.has_value();
  engine->lyapunov_ = options.lyapunov;
  engine->alone_ = &alone;
  if (options.poincare) engine->section_ = &*options.poincare;
  if (role == parameter_role::variable) engine->varied_ = system.parameters.size();
  else engine->shared_ = flow.space().parameters().values();
  const double whole_steps = static_cast<double>(engine->steps_) * std::abs(flow.step());
  const double last = ends_short ? length_of(options, flow) - whole_steps : 0;
  engine->last_step_ = flow.step() > 0 ? last : -last;
  auto of_steps = trajectory_code_of(flow, role, std::move(*certificate), watched.size(), options.lyapunov);
  if (!of_steps) return nullptr;
  engine->code_ = std::move(*of_steps);
  engine->runs_here_ = is_worth_compiling(engine->code_);
  return engine->runs_here_ || wants_gpus(options) ? std::move(engine) : nullptr;
}

bool lane_engine::is_surely_stable(const trajectory_result& trajectory) const {
  const integrator<double>& flow = alone_->flow();
  const auto system =
      linear_system_of(flow.space().with_parameters(std::span<const double>(trajectory.start.parameters)));
  return system && actio::is_surely_stable(*system, flow.method(), trajectory.planned.step);
}

std::unique_ptr<lane_block> lane_engine::make_block() const {
  ACTIO_ASSERT(runs_here_);
  return make_kernel_block(*this, make_trajectory_kernel(code_, shared_, lanes_a_trajectory() * width_));
}

}  // namespace actio
