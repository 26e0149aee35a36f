#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/trajectory_kernel.hpp"
#include "actio/base/error.hpp"
#include "actio/simulate/lane_certificate.hpp"
#include "actio/simulate/lane_sections.hpp"
#include "actio/simulate/neighbour_lanes.hpp"

namespace actio {

// Whole stretches in one kernel, one step at a time where crossings are looked for.
class kernel_block final : public lane_block {
 public:
  kernel_block(const lane_engine& engine, std::unique_ptr<trajectory_kernel> kernel)
      : engine_(engine), kernel_(std::move(kernel)) {
    ACTIO_ASSERT(kernel_ != nullptr && kernel_->lanes() > 0);
    own_ = kernel_->lanes() / engine.lanes_a_trajectory();
    const kernel::trajectory_rows& r = kernel_->rows();
    if (engine.section_ == nullptr) return;
    sections_.emplace(engine, lane_sections::view{kernel_->lanes(), kernel_->row(r.state(0)),
                                                  kernel_->row(r.remainder(0)), kernel_->row(r.state(r.coordinates)),
                                                  kernel_->row(r.remainder(r.coordinates)), kernel_->row(r.value(0))});
  }

  bool run(lane_members block, std::span<bool> solved, const std::function<bool()>& interrupted) override {
    start(block);
    if (engine_.lyapunov_) kernel_->start_beside(own_);
    const std::size_t steps = most_steps(block);
    if (sections_ || steps == 0) kernel_->run(0, 0);
    if (sections_) sections_->start(block.size());
    if (sections_) end_sections(block, 0);
    for (std::size_t k = 0, end = 0; k < steps; k = end) {
      end = std::min(k + (sections_ ? 1 : kernel_->patience()), steps);
      if ((!sections_ || k % 1024 == 0) && interrupted && interrupted()) return false;
      move(k, end);
      if (sections_) look(block, k);
      if (!any_lives()) break;
    }
    if (engine_.last_step_ != 0) take_last_step();
    if (engine_.lyapunov_) end_neighbours(block);
    for (std::size_t l = 0; l < block.size(); ++l) {
      solved[l] = lives(l);
      if (solved[l]) fill(l, *block[l]);
    }
    return true;
  }

 private:
  double& at(std::size_t row, std::size_t lane) { return kernel_->row(row)[lane]; }
  bool lives(std::size_t lane) { return at(kernel_->rows().lives(), lane) != 0; }
  void lose(std::size_t lane) {
    at(kernel_->rows().lives(), lane) = 0;
    kernel_->accept_changes();
  }
  void move(std::size_t first, std::size_t end) {
    engine_.lyapunov_ ? kernel_->run_beside(first, end, own_) : kernel_->run(first, end);
  }
  bool any_lives() {
    const double* const all = kernel_->row(kernel_->rows().lives());
    return std::any_of(all, all + filled_, [](double x) { return x != 0; });
  }

  // All but a last one that is shorter.
  std::size_t whole_steps(const trajectory_result& trajectory) const {
    return engine_.has_own_paces_ ? trajectory.planned.steps : engine_.steps_;
  }
  // What iterations may leave of the state. It has one sign and adds up as steps do, where rounding adds up as their
  // root: a quarter of that, or so little of what an accuracy allows that it does not matter, all steps together.
  double missing_of(const trajectory_result& trajectory) const {
    constexpr double of_rounding = 0x1p-55, of_accuracy = 0x1p-6;
    const double steps = static_cast<double>(std::max<std::size_t>(1, whole_steps(trajectory)));
    const double rounding = std::max(stage_rules::floor_of_missing, of_rounding / std::sqrt(steps));
    if (engine_.lyapunov_) return rounding;  // neighbours are too near for anything else
    return std::max(rounding, of_accuracy * trajectory.planned.accuracy / steps);
  }
  std::size_t most_steps(lane_members block) const {
    std::size_t most = 0;
    for (const trajectory_result* trajectory : block) most = std::max(most, whole_steps(*trajectory));
    return most;
  }

  // The last trajectory again in lanes that would be empty.
  void start(lane_members block) {
    const kernel::trajectory_rows& r = kernel_->rows();
    kernel_->clear((kernel_->lanes() - own_) + block.size());
    filled_ = std::min((block.size() + widest_block - 1) / widest_block * widest_block, own_);
    for (std::size_t lane = 0; lane < kernel_->lanes(); ++lane) {
      const std::size_t l = lane % own_;
      if (l >= filled_) continue;
      const trajectory_result& trajectory = *block[std::min(l, block.size() - 1)];
      const trajectory_start& from = trajectory.start;
      for (std::size_t a = 0; a < r.coordinates; ++a) {
        at(r.state(a), lane) = from.position[a];
        at(r.state(r.coordinates + a), lane) = from.momentum[a];
      }
      for (std::size_t k = 0; k < r.varied; ++k) at(r.parameter(k), lane) = from.parameters[k];
      at(r.step(), lane) = trajectory.planned.step;
      at(r.steps(), lane) = static_cast<double>(whole_steps(trajectory));
      at(r.missing(), lane) = missing_of(trajectory);
      at(r.lives(), lane) = l < block.size() && (!engine_.has_limit_ || engine_.is_surely_stable(trajectory)) ? 1 : 0;
    }
  }
  // After step k.
  void look(lane_members block, std::size_t k) {
    for (std::size_t l = 0; l < block.size(); ++l) {
      if (k < whole_steps(*block[l]) && lives(l) && !sections_->look(l, k, *block[l])) lose(l);
    }
    sections_->remember();
    end_sections(block, k + 1);
  }
  // Of those that take so many steps.
  void end_sections(lane_members block, std::size_t steps) {
    for (std::size_t l = 0; l < block.size(); ++l) {
      if (whole_steps(*block[l]) == steps && lives(l) && !sections_->finish(l, *block[l])) lose(l);
    }
  }
  void end_neighbours(lane_members block) {
    for (std::size_t l = 0; l < block.size(); ++l) {
      const double time = static_cast<double>(whole_steps(*block[l])) * block[l]->planned.step + engine_.last_step_;
      block[l]->lyapunov = neighbour_exponent(*kernel_, l, std::abs(time));
      if (!neighbour_suits(*kernel_, l)) lose(l);
    }
  }
  // From where the lanes are to the end, with another length: nothing depends on time.
  void take_last_step() {
    const kernel::trajectory_rows& r = kernel_->rows();
    std::fill_n(kernel_->row(r.step()), kernel_->lanes(), engine_.last_step_);
    std::fill_n(kernel_->row(r.steps()), kernel_->lanes(), static_cast<double>(engine_.steps_ + 1));
    std::fill_n(kernel_->row(r.follows()), kernel_->lanes(), 0.0);
    kernel_->accept_changes();
    move(engine_.steps_, engine_.steps_ + 1);
  }

  void fill(std::size_t lane, trajectory_result& result) {
    const kernel::trajectory_rows& r = kernel_->rows();
    result.status = trajectory_status::done;
    result.steps = whole_steps(result) + (engine_.last_step_ != 0 ? 1 : 0);
    result.effort = at(r.effort(), lane);
    result.position.resize(r.coordinates);
    result.momentum.resize(r.coordinates);
    for (std::size_t a = 0; a < r.coordinates; ++a) {
      result.position[a] = at(r.state(a), lane);
      result.momentum[a] = at(r.state(r.coordinates + a), lane);
    }
    fill_certificate(r, {kernel_->row(0) + lane, kernel_->lanes()}, result);
  }

  const lane_engine& engine_;
  std::unique_ptr<trajectory_kernel> kernel_;
  std::size_t own_ = 0;     // lanes for trajectories, those of their neighbours apart
  std::size_t filled_ = 0;  // of them with trajectories, or copies where there are fewer than lanes of a vector
  std::optional<lane_sections> sections_;
};

std::unique_ptr<lane_block> make_kernel_block(const lane_engine& engine, std::unique_ptr<trajectory_kernel> kernel) {
  return std::make_unique<kernel_block>(engine, std::move(kernel));
}

}  // namespace actio
