#include "actio/io/motion_frames.hpp"

#include <algorithm>
#include <cmath>

#include "actio/backend/backend.hpp"

namespace actio {

namespace {

constexpr std::size_t most_frames = 2000;
// Between frames that are played smoothly a point moves by this part of the picture at most, and an axis of a body by
// so much: twenty frames to a swing.
constexpr double longest_jump = 0.2, largest_turn = 0.7;

std::vector<expr> shown_by(const model_view& view) {
  std::vector<expr> shown;
  for (const view_point& p : view.points) shown.insert(shown.end(), p.position.begin(), p.position.end());
  for (const view_body& b : view.bodies) {
    shown.insert(shown.end(), b.centre.begin(), b.centre.end());
    for (const std::vector<expr>& axis : b.axes) shown.insert(shown.end(), axis.begin(), axis.end());
  }
  return shown;
}

}  // namespace

motion_frames::motion_frames(const model_view& view, const lagrangian_system& system,
                             std::span<const double> parameters, std::size_t most_numbers)
    : dimensions_(view.dimensions), points_(view.points.size()), parameters_(parameters.begin(), parameters.end()) {
  const std::vector<expr> shown = shown_by(view);
  columns_ = shown.size();
  // Even, so that every other frame can be dropped.
  capacity_ = 2 * std::clamp<std::size_t>(most_numbers / 4 / columns_, 4, most_frames / 2);
  std::vector<expr> variables(system.coordinates);
  variables.push_back(time_symbol());
  // A few thousand evaluations are not worth machine code.
  const auto function = compile<double>(lower(shown, system.parameter_symbols(), variables), backend::interpreter);
  evaluation_ = function->evaluate_at(1);
  evaluation_->set_parameters(parameters_);
  inputs_.assign(variables.size() * evaluation_->stride(), 0);
  outputs_.assign(columns_ * evaluation_->stride(), 0);
  kept_.times.reserve(capacity_ + 1);
  kept_.values.reserve((capacity_ + 1) * columns_);
  last_position_.resize(system.size());
}

void motion_frames::add(double time, std::span<const double> position) {
  last_time_ = time;
  std::copy(position.begin(), position.end(), last_position_.begin());
  const std::size_t row = rows_++;
  if (row % kept_.stride != 0) return;
  if (kept_.size() == capacity_) {
    if (!beginning_ && has_gaps_at(2)) beginning_ = kept_;
    halve();
    if (row % kept_.stride != 0) return;
  }
  append(kept_, time, position, inputs_, outputs_);
}

void motion_frames::append(frame_list& frames, double time, std::span<const double> position, std::span<double> inputs,
                           std::span<double> outputs) const {
  const std::size_t stride = evaluation_->stride();
  for (std::size_t i = 0; i < position.size(); ++i) inputs[i * stride] = position[i];
  inputs[position.size() * stride] = time;
  (*evaluation_)(inputs.data(), outputs.data());
  frames.times.push_back(time);
  for (std::size_t k = 0; k < columns_; ++k) frames.values.push_back(outputs[k * stride]);
}

frame_list motion_frames::whole() const {
  frame_list frames = kept_;
  if (rows_ == 0 || (rows_ - 1) % kept_.stride == 0) return frames;
  std::vector<double> inputs(inputs_), outputs(outputs_);
  append(frames, last_time_, last_position_, inputs, outputs);
  return frames;
}

// Whether something moves too far between every `stride`-th of the kept frames.
bool motion_frames::has_gaps_at(std::size_t stride) const {
  const std::size_t d = dimensions_, body = d + d * d;
  const auto is_place = [&](std::size_t k) { return k < points_ * d || (k - points_ * d) % body < d; };
  double extent = 0;
  for (std::size_t direction = 0; direction < d; ++direction) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t f = 0; f < kept_.size(); ++f) {
      for (std::size_t k = 0; k < columns_; ++k) {
        const double x = kept_.values[f * columns_ + k];
        if (k % d != direction || !is_place(k) || !std::isfinite(x)) continue;
        low = std::min(low, x);
        high = std::max(high, x);
      }
    }
    extent = std::max(extent, high - low);
  }
  for (std::size_t f = 0; f + stride < kept_.size(); f += stride) {
    for (std::size_t k = 0; k < columns_; ++k) {
      const double jump = std::abs(kept_.values[(f + stride) * columns_ + k] - kept_.values[f * columns_ + k]);
      if (jump > (is_place(k) ? longest_jump * extent : largest_turn)) return true;
    }
  }
  return false;
}

void motion_frames::halve() {
  for (std::size_t f = 1; f < capacity_ / 2; ++f) {
    kept_.times[f] = kept_.times[2 * f];
    std::copy_n(kept_.values.begin() + static_cast<std::ptrdiff_t>(2 * f * columns_), columns_,
                kept_.values.begin() + static_cast<std::ptrdiff_t>(f * columns_));
  }
  kept_.times.resize(capacity_ / 2);
  kept_.values.resize(capacity_ / 2 * columns_);
  kept_.stride *= 2;
}

}  // namespace actio
