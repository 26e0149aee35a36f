#include "actio/simulate/lane_engine.hpp"

#include <algorithm>
#include <cmath>

#include "actio/backend/backend.hpp"
#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/trajectory_kernel.hpp"
#include "actio/base/compensated.hpp"
#include "actio/integrate/gauss_tables.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/step_kinks.hpp"
#include "actio/simulate/step_limit.hpp"

namespace actio {

namespace {

// What stages of a Gauss method need; nothing where there is no machine code, or making it would take too long.
std::optional<kernel::trajectory_code> trajectory_code_of(const integrator<double>& flow, parameter_role role,
                                                          program certificate, std::size_t watched) {
  const std::optional<field_code>& field = hamilton_program(*flow.space().code(), role);
  if (!field) return {};
  const std::size_t points = flow.method().stages(flow.space().system());
  const kernel_effort effort = effort_of({*field, points});
  const bool takes_too_long = effort == kernel_effort::huge && default_backend() != backend::machine_code;
  if (effort == kernel_effort::none || takes_too_long) return {};
  const std::size_t varied = role == parameter_role::variable ? flow.space().system().parameters.size() : 0;
  return kernel::trajectory_code{
      .field = *field,
      .tables = make_gauss_tables(points),
      .certificate = std::move(certificate),
      .rows = {flow.space().size(), points, varied, flow.space().momentum_names().size(), watched},
      .has_power = flow.space().has_power()};
}

}  // namespace

std::unique_ptr<const lane_engine> lane_engine::make(const ensemble_plan& plan, const lone_engine& alone,
                                                     const ensemble_options& options) {
  const lagrangian_system& system = plan.base().system;
  const integrator<double>& flow = alone.flow();
  if (options.width == 0 || options.lyapunov || system.is_first_order()) return nullptr;
  if (!system.constraints.empty() || system.applied_force || system.time_scale) return nullptr;
  const std::vector<model_event>& events = options.watched ? *options.watched : plan.base().events;
  if (!events.empty() || !plan.base().controls.empty()) return nullptr;
  if (options.splits_at_signals && !kink_times_of<double>(flow).empty()) return nullptr;
  if (flow.options().start != 0 && system.is_time_dependent()) return nullptr;
  // Where the end is no multiple of the step, the last one is shorter.
  const double length = options.until ? std::abs(*options.until - flow.options().start) : 0,
               step = std::abs(flow.step());
  const bool ends_short = options.until && static_cast<double>(options.steps) * step > length * (1 + 1e-12);
  if (ends_short && (options.poincare || system.is_time_dependent() || flow.space().has_power())) return nullptr;
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
  engine->alone_ = &alone;
  if (options.poincare) engine->section_ = &*options.poincare;
  if (role == parameter_role::variable) engine->varied_ = system.parameters.size();
  else engine->shared_ = flow.space().parameters().values();
  const double last = ends_short ? length - static_cast<double>(engine->steps_) * step : 0;
  engine->last_step_ = flow.step() > 0 ? last : -last;
  const system_code& code = *flow.space().code();
  if (flow.method().stages && flow.method().stages(system) > 0) {
    engine->code_ = trajectory_code_of(flow, role, std::move(*certificate), watched.size());
    return engine->code_ ? std::move(engine) : nullptr;
  }
  if (!flow.method().lanes) return nullptr;
  engine->certificate_ = compile<double>(std::move(*certificate));
  const auto maker = [&](double h) {
    return flow.method().lanes({code, role, engine->shared_, h, engine->has_power_, engine->width_});
  };
  engine->make_workspace_ = maker(engine->step_);
  if (ends_short) engine->make_last_ = maker(engine->last_step_);
  return engine->make_workspace_ && (engine->make_last_ || !ends_short) ? std::move(engine) : nullptr;
}

bool lane_engine::is_surely_stable(const trajectory_start& start) const {
  const integrator<double>& flow = alone_->flow();
  const auto system = linear_system_of(flow.space().with_parameters(std::span<const double>(start.parameters)));
  return system && actio::is_surely_stable(*system, flow.method(), step_);
}

// Looks for crossings of a section: remembers where all lanes were before the step.
class lane_sections {
 public:
  // Where states of lanes stand, and what is to vanish in them.
  struct view {
    const double *position, *position_remainder, *momentum, *momentum_remainder, *values;
  };
  lane_sections(const lane_engine& engine, const view& lanes)
      : engine_(engine),
        lanes_(lanes),
        tracks_(engine.width_, section_track<double>(engine.section_->direction)),
        states_(4 * engine.size_ * engine.width_, 0.0) {
    before_.position = compensated_vector<double>(std::vector<double>(engine.size_, 0.0));
    before_.momentum = before_.position;
  }

  void start() {
    if (engine_.varied_ > 0) {
      for (auto& finder : finders_) finder.reset();
    }
    for (std::size_t l = 0; l < tracks_.size(); ++l) tracks_[l].start(lanes_.values[l]);
    remember();
  }

  // After a step that started at time index·h. False where a crossing could not be reached.
  bool look(std::size_t lane, std::size_t index, trajectory_result& result) {
    tracks_[lane].add(lanes_.values[lane]);
    return search(lane, index, result);
  }

  // After the last step.
  bool finish(std::size_t lane, trajectory_result& result) {
    tracks_[lane].finish();
    const bool found = search(lane, 0, result);
    result.discontinuities += tracks_[lane].borders();
    return found;
  }

  void remember() {
    const std::size_t rows = engine_.size_ * engine_.width_;
    std::copy_n(lanes_.position, rows, &states_[0]);
    std::copy_n(lanes_.position_remainder, rows, &states_[rows]);
    std::copy_n(lanes_.momentum, rows, &states_[2 * rows]);
    std::copy_n(lanes_.momentum_remainder, rows, &states_[3 * rows]);
  }

 private:
  bool search(std::size_t lane, std::size_t index, trajectory_result& result) {
    const auto finder = [&]() -> section_finder<double>* {
      auto& own = finders_[engine_.varied_ > 0 ? lane : 0];
      try {
        const std::lock_guard lock(setting_up());
        if (!own) {
          const integrator<double> flow = engine_.alone_->flow_of(result.start);
          own.emplace(flow, flow.space(), *engine_.section_);
        }
      } catch (const input_error&) {  // the ordinary way will say what is wrong with the parameters
        return nullptr;
      }
      return &*own;
    };
    const auto before = [&](bool is_first) -> const phase_state<double>& {
      is_first ? take_start(result.start) : take_state(lane, index);
      return before_;
    };
    return search_section(tracks_[lane], engine_.step_, finder, before, result);
  }

  void take_start(const trajectory_start& start) {
    before_.index = 0;
    before_.begin_at(engine_.start_);
    before_.position = compensated_vector<double>(start.position);
    before_.momentum = compensated_vector<double>(start.momentum);
  }

  void take_state(std::size_t lane, std::size_t index) {
    before_.index = index;
    before_.begin_at(engine_.start_ + static_cast<double>(index) * engine_.step_);
    const std::size_t width = engine_.width_, rows = engine_.size_ * width;
    for (std::size_t a = 0; a < engine_.size_; ++a) {
      before_.position.value[a] = states_[a * width + lane];
      before_.position.remainder[a] = states_[rows + a * width + lane];
      before_.momentum.value[a] = states_[2 * rows + a * width + lane];
      before_.momentum.remainder[a] = states_[3 * rows + a * width + lane];
    }
  }

  const lane_engine& engine_;
  view lanes_;
  std::vector<section_track<double>> tracks_;
  std::vector<double> states_;
  phase_state<double> before_;
  std::array<std::optional<section_finder<double>>, widest_block> finders_;  // the first one for all where none varies
};

// Whole stretches in one kernel, one step at a time where crossings are looked for.
class kernel_block final : public lane_block {
 public:
  explicit kernel_block(const lane_engine& engine)
      : engine_(engine), kernel_(make_trajectory_kernel(*engine.code_, engine.shared_, engine.width_)) {
    ACTIO_ASSERT(kernel_ != nullptr);
    const kernel::trajectory_rows& r = kernel_->rows();
    if (engine.section_ == nullptr) return;
    sections_.emplace(engine, lane_sections::view{kernel_->row(r.state(0)), kernel_->row(r.remainder(0)),
                                                  kernel_->row(r.state(r.coordinates)),
                                                  kernel_->row(r.remainder(r.coordinates)), kernel_->row(r.value(0))});
  }

  bool run(std::span<trajectory_result> block, std::span<bool> solved,
           const std::function<bool()>& interrupted) override {
    const std::size_t patience = sections_ ? 1 : 1024;  // steps between two looks at what has happened
    start(block);
    kernel_->run(0, 0);
    if (sections_) sections_->start();
    for (std::size_t k = 0, end = 0; k < engine_.steps_; k = end) {
      end = std::min(k + patience, engine_.steps_);
      if (k % 1024 == 0 && interrupted && interrupted()) return false;
      kernel_->run(k, end);
      if (sections_) look(block, k);
      if (!any_lives()) break;
    }
    for (std::size_t l = 0; sections_ && l < block.size(); ++l) {
      if (lives(l) && !sections_->finish(l, block[l])) lose(l);
    }
    if (engine_.last_step_ != 0) take_last_step();
    for (std::size_t l = 0; l < block.size(); ++l) {
      solved[l] = lives(l);
      if (solved[l]) fill(l, block[l]);
    }
    return true;
  }

 private:
  double& at(std::size_t row, std::size_t lane) { return kernel_->row(row)[lane]; }
  bool lives(std::size_t lane) { return at(kernel_->rows().lives(), lane) != 0; }
  void lose(std::size_t lane) { at(kernel_->rows().lives(), lane) = 0; }
  bool any_lives() {
    const double* const all = kernel_->row(kernel_->rows().lives());
    return std::any_of(all, all + kernel_->lanes(), [](double x) { return x != 0; });
  }

  // The last trajectory again in lanes that would be empty.
  void start(std::span<const trajectory_result> block) {
    const kernel::trajectory_rows& r = kernel_->rows();
    std::fill_n(kernel_->row(0), r.count() * kernel_->lanes(), 0.0);
    for (std::size_t l = 0; l < kernel_->lanes(); ++l) {
      const trajectory_start& from = block[std::min(l, block.size() - 1)].start;
      for (std::size_t a = 0; a < r.coordinates; ++a) {
        at(r.state(a), l) = from.position[a];
        at(r.state(r.coordinates + a), l) = from.momentum[a];
      }
      for (std::size_t k = 0; k < r.varied; ++k) at(r.parameter(k), l) = from.parameters[k];
      at(r.step(), l) = engine_.step_;
      at(r.steps(), l) = static_cast<double>(engine_.steps_);
      at(r.lives(), l) = l < block.size() && (!engine_.has_limit_ || engine_.is_surely_stable(from)) ? 1 : 0;
    }
  }
  // After step k.
  void look(std::span<trajectory_result> block, std::size_t k) {
    for (std::size_t l = 0; l < block.size(); ++l) {
      if (lives(l) && !sections_->look(l, k, block[l])) lose(l);
    }
    sections_->remember();
  }
  // From where the lanes are to the end, with another length: nothing depends on time.
  void take_last_step() {
    const kernel::trajectory_rows& r = kernel_->rows();
    std::fill_n(kernel_->row(r.step()), kernel_->lanes(), engine_.last_step_);
    std::fill_n(kernel_->row(r.steps()), kernel_->lanes(), static_cast<double>(engine_.steps_ + 1));
    std::fill_n(kernel_->row(r.follows()), kernel_->lanes(), 0.0);
    kernel_->run(engine_.steps_, engine_.steps_ + 1);
  }

  void fill(std::size_t lane, trajectory_result& result) {
    const kernel::trajectory_rows& r = kernel_->rows();
    result.status = trajectory_status::done;
    result.steps = engine_.steps_ + (engine_.last_step_ != 0 ? 1 : 0);
    result.position.resize(r.coordinates);
    result.momentum.resize(r.coordinates);
    for (std::size_t a = 0; a < r.coordinates; ++a) {
      result.position[a] = at(r.state(a), lane);
      result.momentum[a] = at(r.state(r.coordinates + a), lane);
    }
    const double error = at(r.energy_error(), lane), kinetic = at(r.kinetic(), lane);
    result.energy_error = error / at(r.reference(), lane);
    result.scaled_energy_error = kinetic > 0 ? error / kinetic : 0;
    result.momentum_errors.clear();
    for (std::size_t k = 0; k < r.momenta; ++k) result.momentum_errors.push_back(at(r.momentum_error(k), lane));
  }

  const lane_engine& engine_;
  std::unique_ptr<trajectory_kernel> kernel_;
  std::optional<lane_sections> sections_;
};

// Step by step, for methods that solve by Newton's method.
class stepped_block final : public lane_block {
 public:
  explicit stepped_block(const lane_engine& engine);
  bool run(std::span<trajectory_result> block, std::span<bool> solved,
           const std::function<bool()>& interrupted) override;

 private:
  class meter;
  void lose_what_is_not_finite(lane_workspace& step);
  // From where step_ is to the end. The workspace that holds it.
  lane_workspace& take_last_step(std::span<trajectory_result> block);

  const lane_engine& engine_;
  std::unique_ptr<lane_workspace> step_, last_;
  std::unique_ptr<meter> measured_;
  std::optional<lane_sections> watch_;  // where there is a section
};

// The certificates of a block: the rules of certificate_meter, lane by lane.
class stepped_block::meter {
 public:
  meter(const lane_engine& engine, const lane_workspace& step)
      : engine_(engine),
        step_(&step),
        width_(engine.width_),
        measure_(engine.certificate_->evaluate_at(width_)),
        in_(engine.certificate_->inputs() * width_, 0.0),
        out_(engine.certificate_->outputs() * width_, 0.0),
        initial_(width_, 0.0),
        reference_(width_, 0.0),
        largest_error_(width_, 0.0),
        kinetic_(width_, 0.0),
        work_(width_),
        initial_momenta_(engine.momenta_ * width_, 0.0),
        momentum_errors_(engine.momenta_ * width_, 0.0) {
    ACTIO_ASSERT(measure_->stride() == width_);
    measure_->set_parameters(engine.shared_);
  }

  const double* velocity() const { return out_.data(); }
  // Other lanes go on from where those before were.
  void look_at(const lane_workspace& step) { step_ = &step; }

  void measure(double time) {
    const std::size_t rows = engine_.size_ * width_;
    std::copy_n(step_->position(), rows, in_.data());
    std::copy_n(step_->momentum(), rows, &in_[rows]);
    std::fill_n(&in_[2 * rows], width_, time);
    (*measure_)(in_.data(), out_.data());
  }

  // Whether what was measured in a lane is finite.
  bool is_finite_in(std::size_t lane) const {
    if (!std::isfinite(energy(lane)) || !std::isfinite(work_[lane].value)) return false;
    for (std::size_t k = 0; k < engine_.momenta_; ++k) {
      if (!std::isfinite(momenta()[k * width_ + lane])) return false;
    }
    return true;
  }

  const double* section_values() const { return momenta() + engine_.momenta_ * width_; }  // where there is a section

  // At the start of all lanes.
  void start() {
    std::copy_n(step_->varied(), engine_.varied_ * width_, &in_[(2 * engine_.size_ + 1) * width_]);
    measure(0);
    std::ranges::fill(largest_error_, 0.0);
    std::ranges::fill(momentum_errors_, 0.0);
    std::ranges::fill(work_, compensated<double>());
    for (std::size_t l = 0; l < width_; ++l) {
      initial_[l] = energy_change(l);
      reference_[l] = energy_reference(energy(l), std::abs(pv(l)) + std::abs(lagrangian(l)));
      kinetic_[l] = std::abs(kinetic(l));
    }
    std::copy_n(momenta(), initial_momenta_.size(), initial_momenta_.begin());
  }

  // Whether all lanes are finite.
  bool add() {
    if (engine_.has_power_) add_work();
    double nothing = 0;  // or NaN
    for (std::size_t l = 0; l < width_; ++l) {
      const double change = energy_change(l) - initial_[l], error = std::abs(change - work_[l].value);
      largest_error_[l] = error > largest_error_[l] ? error : largest_error_[l];
      kinetic_[l] = std::max(kinetic_[l], std::abs(kinetic(l)));
      nothing += error - error;
    }
    for (std::size_t k = 0; k < momentum_errors_.size(); ++k) {
      const double error = std::abs(momenta()[k] - initial_momenta_[k]);
      momentum_errors_[k] = error > momentum_errors_[k] ? error : momentum_errors_[k];
      nothing += error - error;
    }
    return nothing == 0;
  }

  void fill(std::size_t lane, trajectory_result& result) const {
    result.energy_error = largest_error_[lane] / reference_[lane];
    result.scaled_energy_error = kinetic_[lane] > 0 ? largest_error_[lane] / kinetic_[lane] : 0;
    result.momentum_errors.clear();
    for (std::size_t k = 0; k < engine_.momenta_; ++k) {
      result.momentum_errors.push_back(momentum_errors_[k * width_ + lane]);
    }
  }

 private:
  double pv(std::size_t l) const { return out_[engine_.size_ * width_ + l]; }
  double lagrangian(std::size_t l) const { return out_[(engine_.size_ + 1) * width_ + l]; }
  double kinetic(std::size_t l) const { return out_[(engine_.size_ + 2) * width_ + l]; }
  double energy_change(std::size_t l) const { return pv(l) - lagrangian(l); }
  double energy(std::size_t l) const { return energy_change(l) - out_[(engine_.size_ + 3) * width_ + l]; }
  const double* momenta() const { return out_.data() + (engine_.size_ + 4) * width_; }

  void add_work() {
    for (std::size_t l = 0; l < width_; ++l) {
      work_[l].add(step_->work()[l]);
      reference_[l] = std::max({reference_[l], std::abs(work_[l].value), std::abs(energy(l))});
    }
  }

  const lane_engine& engine_;
  const lane_workspace* step_;
  std::size_t width_;
  std::unique_ptr<evaluation<double>> measure_;
  aligned_vector<double> in_, out_, initial_, reference_, largest_error_, kinetic_;
  std::vector<compensated<double>> work_;
  aligned_vector<double> initial_momenta_, momentum_errors_;
};

stepped_block::stepped_block(const lane_engine& engine) : engine_(engine), step_(engine.make_workspace_()) {
  measured_ = std::make_unique<meter>(engine, *step_);
  if (engine.section_ == nullptr) return;
  watch_.emplace(engine, lane_sections::view{step_->position(), step_->position_remainder(), step_->momentum(),
                                             step_->momentum_remainder(), measured_->section_values()});
}

void stepped_block::lose_what_is_not_finite(lane_workspace& step) {
  for (std::size_t l = 0; l < engine_.width_; ++l) {
    if (!measured_->is_finite_in(l)) step.lose(l);
  }
}

lane_workspace& stepped_block::take_last_step(std::span<trajectory_result> block) {
  const std::size_t width = engine_.width_;
  if (!last_) last_ = engine_.make_last_();
  last_->clear();
  std::vector<double> q(engine_.size_), p(engine_.size_);
  for (std::size_t l = 0; l < width; ++l) {
    for (std::size_t a = 0; a < engine_.size_; ++a) {
      q[a] = step_->position()[a * width + l];
      p[a] = step_->momentum()[a * width + l];
    }
    last_->start(l, q, p, block[std::min(l, block.size() - 1)].start.parameters);
    if (!step_->lives(l)) last_->lose(l);
  }
  last_->guess(measured_->velocity());
  if (!last_->advance(0)) return *last_;
  measured_->look_at(*last_);
  measured_->measure(0);  // nothing depends on time
  if (!measured_->add()) lose_what_is_not_finite(*last_);
  measured_->look_at(*step_);
  return *last_;
}

bool stepped_block::run(std::span<trajectory_result> block, std::span<bool> solved,
                        const std::function<bool()>& interrupted) {
  constexpr std::size_t patience = 1024;  // steps between two questions whether to end
  const std::size_t width = engine_.width_;
  step_->clear();
  for (std::size_t l = 0; l < width; ++l) {  // the last trajectory again in lanes that would be empty
    const trajectory_start& start = block[std::min(l, block.size() - 1)].start;
    step_->start(l, start.position, start.momentum, start.parameters);
    if (l >= block.size() || (engine_.has_limit_ && !engine_.is_surely_stable(start))) step_->lose(l);
  }
  measured_->start();
  lose_what_is_not_finite(*step_);
  step_->guess(measured_->velocity());
  if (watch_) watch_->start();
  for (std::size_t k = 0; k < engine_.steps_; ++k) {
    if (k % patience == 0 && interrupted && interrupted()) return false;
    if (!step_->advance(k)) break;
    measured_->measure(static_cast<double>(k + 1) * engine_.step_);
    if (!measured_->add()) lose_what_is_not_finite(*step_);
    if (!watch_) continue;
    for (std::size_t l = 0; l < block.size(); ++l) {
      if (step_->lives(l) && !watch_->look(l, k, block[l])) step_->lose(l);
    }
    watch_->remember();
  }
  lane_workspace& end = engine_.make_last_ ? take_last_step(block) : *step_;
  for (std::size_t l = 0; l < block.size(); ++l) {
    if (watch_ && step_->lives(l) && !watch_->finish(l, block[l])) step_->lose(l);
    solved[l] = end.lives(l);
    if (!solved[l]) continue;
    trajectory_result& result = block[l];
    result.status = trajectory_status::done;
    result.steps = engine_.steps_ + (engine_.make_last_ ? 1 : 0);
    result.position.resize(engine_.size_);
    result.momentum.resize(engine_.size_);
    for (std::size_t a = 0; a < engine_.size_; ++a) {
      result.position[a] = end.position()[a * width + l];
      result.momentum[a] = end.momentum()[a * width + l];
    }
    measured_->fill(l, result);
  }
  return true;
}

std::unique_ptr<lane_block> lane_engine::make_block() const {
  if (code_) return std::make_unique<kernel_block>(*this);
  return std::make_unique<stepped_block>(*this);
}

}  // namespace actio
