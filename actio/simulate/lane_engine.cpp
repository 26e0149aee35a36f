#include "actio/simulate/lane_engine.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/compensated.hpp"
#include "actio/integrate/galerkin_methods.hpp"
#include "actio/integrate/lane_step.hpp"
#include "actio/mechanics/hamilton_program.hpp"

namespace actio {

std::unique_ptr<const lane_engine> lane_engine::make(const ensemble_plan& plan, const integrator<double>& flow,
                                                     std::size_t width) {
  const lagrangian_system& system = plan.base().system;
  const auto scheme = galerkin_scheme_of(flow.method());
  if (!scheme || system.is_first_order() || scheme->degree * system.size() > most_fused_unknowns) return nullptr;
  if (plan.varies_parameters() && flow.linear() != nullptr) return nullptr;
  const parameter_role role = plan.varies_parameters() ? parameter_role::variable : parameter_role::shared;
  auto certificate = certificate_program(system, role);
  if (!certificate) return nullptr;
  std::unique_ptr<lane_engine> engine(new lane_engine);
  engine->width_ = width;
  engine->size_ = system.size();
  engine->momenta_ = flow.space().momentum_names().size();
  engine->scheme_ = *scheme;
  engine->step_ = flow.step();
  engine->has_power_ = flow.space().has_power();
  if (role == parameter_role::variable) engine->varied_ = system.parameters.size();
  else engine->shared_ = flow.space().parameters();
  engine->iteration_ = compile<double>(newton_program(system, make_tableau<double>(*scheme), role));
  engine->certificate_ = compile<double>(std::move(*certificate));
  return engine;
}

// The certificates of a block: the rules of certificate_meter, lane by lane.
class lane_engine::meter {
 public:
  meter(const lane_engine& engine, const lane_step& step)
      : engine_(engine),
        step_(step),
        width_(engine.width_),
        measure_(engine.certificate_->evaluate_at(width_)),
        in_(engine.certificate_->inputs() * width_, 0.0),
        out_(engine.certificate_->outputs() * width_, 0.0),
        initial_(width_, 0.0),
        reference_(width_, 0.0),
        largest_error_(width_, 0.0),
        work_(width_),
        initial_momenta_(engine.momenta_ * width_, 0.0),
        momentum_errors_(engine.momenta_ * width_, 0.0) {
    ACTIO_ASSERT(measure_->stride() == width_);
    measure_->set_parameters(engine.shared_);
    std::copy_n(step.varied(), engine.varied_ * width_, &in_[(2 * engine.size_ + 1) * width_]);
  }

  const double* velocity() const { return out_.data(); }

  void measure(double time) {
    const std::size_t rows = engine_.size_ * width_;
    std::copy_n(step_.position(), rows, in_.data());
    std::copy_n(step_.momentum(), rows, &in_[rows]);
    std::fill_n(&in_[2 * rows], width_, time);
    (*measure_)(in_.data(), out_.data());
  }

  // Whether what was measured in a lane is finite.
  bool is_finite_in(std::size_t lane) const { return std::isfinite(energy(lane)); }

  void start() {
    for (std::size_t l = 0; l < width_; ++l) {
      initial_[l] = energy(l);
      const double scale = std::abs(pv(l)) + std::abs(lagrangian(l));
      reference_[l] = std::abs(initial_[l]) > 1e-8 * scale ? std::abs(initial_[l]) : scale;
      if (!(reference_[l] > 0)) reference_[l] = 1;
    }
    std::copy_n(momenta(), initial_momenta_.size(), initial_momenta_.begin());
  }

  void add() {
    if (engine_.has_power_) add_work();
    for (std::size_t l = 0; l < width_; ++l) {
      const double error = std::abs((energy(l) - initial_[l]) - work_[l].value);
      largest_error_[l] = error > largest_error_[l] ? error : largest_error_[l];
    }
    for (std::size_t k = 0; k < momentum_errors_.size(); ++k) {
      const double error = std::abs(momenta()[k] - initial_momenta_[k]);
      momentum_errors_[k] = error > momentum_errors_[k] ? error : momentum_errors_[k];
    }
  }

  void fill(std::size_t lane, trajectory_result& result) const {
    result.energy_error = largest_error_[lane] / reference_[lane];
    result.momentum_errors.clear();
    for (std::size_t k = 0; k < engine_.momenta_; ++k) {
      result.momentum_errors.push_back(momentum_errors_[k * width_ + lane]);
    }
  }

 private:
  double pv(std::size_t l) const { return out_[engine_.size_ * width_ + l]; }
  double lagrangian(std::size_t l) const { return out_[(engine_.size_ + 1) * width_ + l]; }
  double energy(std::size_t l) const { return pv(l) - lagrangian(l); }
  const double* momenta() const { return out_.data() + (engine_.size_ + 2) * width_; }

  void add_work() {
    for (std::size_t l = 0; l < width_; ++l) {
      work_[l].add(step_.work()[l]);
      reference_[l] = std::max({reference_[l], std::abs(work_[l].value), std::abs(energy(l))});
    }
  }

  const lane_engine& engine_;
  const lane_step& step_;
  std::size_t width_;
  std::unique_ptr<evaluation<double>> measure_;
  std::vector<double> in_, out_, initial_, reference_, largest_error_;
  std::vector<compensated<double>> work_;
  std::vector<double> initial_momenta_, momentum_errors_;
};

bool lane_engine::run(std::span<trajectory_result> block, std::size_t steps, std::span<bool> solved,
                      const std::function<bool()>& interrupted) const {
  constexpr std::size_t patience = 1024;  // steps between two questions whether to end
  const newton_layout layout{size_, scheme_.degree, varied_};
  lane_step step(scheme_, *iteration_, layout, shared_, step_, has_power_, width_);
  for (std::size_t l = 0; l < width_; ++l) {  // the last trajectory again in lanes that would be empty
    const trajectory_start& start = block[std::min(l, block.size() - 1)].start;
    step.start(l, start.position, start.momentum, start.parameters);
    if (l >= block.size()) step.lose(l);
  }
  meter measured(*this, step);
  const auto lose_what_is_not_finite = [&] {
    for (std::size_t l = 0; l < width_; ++l) {
      if (!measured.is_finite_in(l)) step.lose(l);
    }
  };
  measured.measure(0);
  measured.start();
  lose_what_is_not_finite();
  step.guess(measured.velocity());
  for (std::size_t k = 0; k < steps; ++k) {
    if (k % patience == 0 && interrupted && interrupted()) return false;
    if (!step.advance(k)) break;
    measured.measure(static_cast<double>(k + 1) * step_);
    lose_what_is_not_finite();
    measured.add();
  }
  for (std::size_t l = 0; l < block.size(); ++l) {
    solved[l] = step.lives(l);
    if (!solved[l]) continue;
    trajectory_result& result = block[l];
    result.status = trajectory_status::done;
    result.steps = steps;
    result.position.resize(size_);
    result.momentum.resize(size_);
    for (std::size_t a = 0; a < size_; ++a) {
      result.position[a] = step.position()[a * width_ + l];
      result.momentum[a] = step.momentum()[a * width_ + l];
    }
    measured.fill(l, result);
  }
  return true;
}

}  // namespace actio
