#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "actio/base/compensated.hpp"
#include "actio/base/error.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/lane_sections.hpp"

namespace actio {

// Step by step, for methods that solve by Newton's method.
class stepped_block final : public lane_block {
 public:
  explicit stepped_block(const lane_engine& engine);
  bool run(lane_members block, std::span<bool> solved, const std::function<bool()>& interrupted) override;

 private:
  class meter;
  void lose_what_is_not_finite(lane_workspace& step);
  // From where step_ is to the end. The workspace that holds it.
  lane_workspace& take_last_step(lane_members block);

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
  watch_.emplace(engine,
                 lane_sections::view{engine.width_, step_->position(), step_->position_remainder(), step_->momentum(),
                                     step_->momentum_remainder(), measured_->section_values()});
}

void stepped_block::lose_what_is_not_finite(lane_workspace& step) {
  for (std::size_t l = 0; l < engine_.width_; ++l) {
    if (!measured_->is_finite_in(l)) step.lose(l);
  }
}

lane_workspace& stepped_block::take_last_step(lane_members block) {
  const std::size_t width = engine_.width_;
  if (!last_) last_ = engine_.make_last_();
  last_->clear();
  std::vector<double> q(engine_.size_), p(engine_.size_);
  for (std::size_t l = 0; l < width; ++l) {
    for (std::size_t a = 0; a < engine_.size_; ++a) {
      q[a] = step_->position()[a * width + l];
      p[a] = step_->momentum()[a * width + l];
    }
    last_->start(l, q, p, block[std::min(l, block.size() - 1)]->start.parameters);
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

bool stepped_block::run(lane_members block, std::span<bool> solved, const std::function<bool()>& interrupted) {
  constexpr std::size_t patience = 1024;  // steps between two questions whether to end
  const std::size_t width = engine_.width_;
  step_->clear();
  for (std::size_t l = 0; l < width; ++l) {  // the last trajectory again in lanes that would be empty
    const trajectory_result& trajectory = *block[std::min(l, block.size() - 1)];
    const trajectory_start& start = trajectory.start;
    step_->start(l, start.position, start.momentum, start.parameters);
    if (l >= block.size() || (engine_.has_limit_ && !engine_.is_surely_stable(trajectory))) step_->lose(l);
  }
  measured_->start();
  lose_what_is_not_finite(*step_);
  step_->guess(measured_->velocity());
  if (watch_) watch_->start(engine_.width_);
  for (std::size_t k = 0; k < engine_.steps_; ++k) {
    if (k % patience == 0 && interrupted && interrupted()) return false;
    if (!step_->advance(k)) break;
    measured_->measure(static_cast<double>(k + 1) * engine_.step_);
    if (!measured_->add()) lose_what_is_not_finite(*step_);
    if (!watch_) continue;
    for (std::size_t l = 0; l < block.size(); ++l) {
      if (step_->lives(l) && !watch_->look(l, k, *block[l])) step_->lose(l);
    }
    watch_->remember();
  }
  lane_workspace& end = engine_.make_last_ ? take_last_step(block) : *step_;
  for (std::size_t l = 0; l < block.size(); ++l) {
    if (watch_ && step_->lives(l) && !watch_->finish(l, *block[l])) step_->lose(l);
    solved[l] = end.lives(l);
    if (!solved[l]) continue;
    trajectory_result& result = *block[l];
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

std::unique_ptr<lane_block> make_stepped_block(const lane_engine& engine) {
  return std::make_unique<stepped_block>(engine);
}

}  // namespace actio
