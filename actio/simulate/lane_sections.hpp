// Crossings of a Poincaré section by trajectories in lanes.
#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "actio/simulate/lane_engine.hpp"

namespace actio {

// Looks for crossings of a section: remembers where all lanes were before the step.
class lane_sections {
 public:
  // Where states of lanes stand, and what is to vanish in them.
  struct view {
    std::size_t lanes;
    const double *position, *position_remainder, *momentum, *momentum_remainder, *values;
  };
  lane_sections(const lane_engine& engine, const view& lanes)
      : engine_(engine),
        lanes_(lanes),
        tracks_(lanes.lanes, section_track<double>(engine.section_->direction)),
        states_(4 * engine.size_ * lanes.lanes, 0.0),
        finders_(has_own_finders() ? lanes.lanes : 1) {
    before_.position = compensated_vector<double>(std::vector<double>(engine.size_, 0.0));
    before_.momentum = before_.position;
  }

  // So many of the lanes move.
  void start(std::size_t used) {
    if (has_own_finders()) {
      for (auto& finder : finders_) finder.reset();
    }
    for (std::size_t l = 0; l < used; ++l) tracks_[l].start(lanes_.values[l]);
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
    const std::size_t rows = engine_.size_ * lanes_.lanes;
    std::copy_n(lanes_.position, rows, &states_[0]);
    std::copy_n(lanes_.position_remainder, rows, &states_[rows]);
    std::copy_n(lanes_.momentum, rows, &states_[2 * rows]);
    std::copy_n(lanes_.momentum_remainder, rows, &states_[3 * rows]);
  }

 private:
  bool has_own_finders() const { return engine_.varied_ > 0 || engine_.has_own_paces_; }

  bool search(std::size_t lane, std::size_t index, trajectory_result& result) {
    const auto finder = [&]() -> section_finder<double>* {
      auto& own = finders_[has_own_finders() ? lane : 0];
      try {
        const std::lock_guard lock(setting_up());
        if (!own) {
          const integrator<double> flow = engine_.alone_->flow_of(result);
          own.emplace(flow, flow.space(), *engine_.section_);
        }
      } catch (const input_error&) {  // the ordinary way will say what is wrong with the parameters
        return nullptr;
      }
      return &*own;
    };
    const auto before = [&](bool is_first) -> const phase_state<double>& {
      is_first ? take_start(result.start) : take_state(lane, index, result.planned.step);
      return before_;
    };
    return search_section(tracks_[lane], result.planned.step, finder, before, result);
  }

  void take_start(const trajectory_start& start) {
    before_.index = 0;
    before_.begin_at(engine_.start_);
    before_.position = compensated_vector<double>(start.position);
    before_.momentum = compensated_vector<double>(start.momentum);
  }

  void take_state(std::size_t lane, std::size_t index, double step) {
    before_.index = index;
    before_.begin_at(engine_.start_ + static_cast<double>(index) * step);
    const std::size_t width = lanes_.lanes, rows = engine_.size_ * width;
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
  std::vector<std::optional<section_finder<double>>> finders_;  // the first one for all where none varies
};

}  // namespace actio
