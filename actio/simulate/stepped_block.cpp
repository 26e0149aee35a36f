#include <algorithm>
#include <memory>
#include <optional>

#include "actio/backend/kernel/certificate_text.hpp"
#include "actio/base/error.hpp"
#include "actio/simulate/lane_certificate.hpp"
#include "actio/simulate/lane_sections.hpp"

namespace actio {

// Step by step, for methods that solve by Newton's method.
class stepped_block final : public lane_block {
 public:
  explicit stepped_block(const lane_engine& engine);
  bool run(lane_members block, std::span<bool> solved, const std::function<bool()>& interrupted) override;

 private:
  class meter;
  // From where step_ is to the end. The workspace that holds it.
  lane_workspace& take_last_step(lane_members block);

  const lane_engine& engine_;
  std::unique_ptr<lane_workspace> step_, last_;
  std::unique_ptr<meter> measured_;
  std::optional<lane_sections> watch_;  // where there is a section
};

// The certificates of a block, lane by lane.
class stepped_block::meter {
 public:
  explicit meter(const lane_engine& engine)
      : engine_(engine),
        width_(engine.width_),
        rows_{engine.size_, 0, 0, engine.momenta_, 0},
        measure_(engine.certificate_->evaluate_at(width_)),
        in_(engine.certificate_->inputs() * width_, 0.0),
        out_(engine.certificate_->outputs() * width_, 0.0),
        numbers_(rows_.count() * width_, 0.0) {
    ACTIO_ASSERT(measure_->stride() == width_);
    measure_->set_parameters(engine.shared_);
  }

  const double* velocity() const { return out_.data(); }
  const double* section_values() const {
    return &out_[(engine_.size_ + 4 + engine_.momenta_) * width_];
  }  // of a section

  // At the start of all lanes, and after a step; lanes are lost where something is not finite.
  void start(lane_workspace& step) {
    std::copy_n(step.varied(), engine_.varied_ * width_, &in_[(2 * engine_.size_ + 1) * width_]);
    measure(step, 0);
    for (std::size_t l = 0; l < width_; ++l) {
      if (!text_of(l).start(outputs{&out_[l], width_})) step.lose(l);
    }
  }
  void add(lane_workspace& step, double time) {
    measure(step, time);
    for (std::size_t l = 0; l < width_; ++l) {
      if (!text_of(l).add(outputs{&out_[l], width_}, step.work()[l], true)) step.lose(l);
    }
  }

  void fill(std::size_t lane, trajectory_result& result) { fill_certificate(rows_, rows_of(lane), result); }

 private:
  struct outputs {
    const double* first;
    std::size_t stride;
    double operator[](std::size_t k) const { return first[k * stride]; }
  };

  kernel::number_builder::rows rows_of(std::size_t lane) { return {&numbers_[lane], width_}; }
  kernel::certificate_text<kernel::number_builder> text_of(std::size_t lane) {
    return {rows_, rows_of(lane), engine_.has_power_};
  }
  void measure(const lane_workspace& step, double time) {
    const std::size_t rows = engine_.size_ * width_;
    std::copy_n(step.position(), rows, in_.data());
    std::copy_n(step.momentum(), rows, &in_[rows]);
    std::fill_n(&in_[2 * rows], width_, time);
    (*measure_)(in_.data(), out_.data());
  }

  const lane_engine& engine_;
  std::size_t width_;
  kernel::trajectory_rows rows_;
  std::unique_ptr<evaluation<double>> measure_;
  aligned_vector<double> in_, out_, numbers_;
};

stepped_block::stepped_block(const lane_engine& engine) : engine_(engine), step_(engine.make_workspace_()) {
  measured_ = std::make_unique<meter>(engine);
  if (engine.section_ == nullptr) return;
  watch_.emplace(engine,
                 lane_sections::view{engine.width_, step_->position(), step_->position_remainder(), step_->momentum(),
                                     step_->momentum_remainder(), measured_->section_values()});
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
  measured_->add(*last_, 0);  // nothing depends on time
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
  measured_->start(*step_);
  step_->guess(measured_->velocity());
  if (watch_) watch_->start(engine_.width_);
  for (std::size_t k = 0; k < engine_.steps_; ++k) {
    if (k % patience == 0 && interrupted && interrupted()) return false;
    if (!step_->advance(k)) break;
    measured_->add(*step_, static_cast<double>(k + 1) * engine_.step_);
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
