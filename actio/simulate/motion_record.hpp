// How far a motion is off, as a companion saw it.
#pragma once

#include <optional>
#include <string>

namespace actio {

// An error of a tenth of what an energy, a momentum or a motion reaches is another motion, whether it grows or not; one
// that grows cannot be trusted from a hundredth on.
inline constexpr double too_large_error = 0.1, too_large_drift = 0.01;

struct motion_record {
  double estimated_error = 0;  // largest error of a position or momentum, in their units
  double position_error = 0, momentum_error = 0;
  double relative_error = 0;  // the larger of ‖Δq‖ and ‖Δp‖, each relative to how far the motion went from its start
  std::optional<double> exceeds_after = {};  // the time from which errors exceed a tenth of the motion
  std::optional<double> unseen = {};  // a time within which the model changes, too short for the steps of the companion
  std::string by;                     // the companion, in words
};

}  // namespace actio
