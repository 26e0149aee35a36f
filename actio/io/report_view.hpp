// The animation of a report as data of its page.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "actio/io/motion_frames.hpp"

namespace actio {

// Lengths are whole multiples of "unit", components of axes of "axis_unit". "clips" holds what can be played, the first
// one first: "times", and "columns" as motion_frames has them, each an array or, where it never changes, a number. A
// number that is not finite is null.
nlohmann::ordered_json view_json(const model_view& view, const lagrangian_system& system, const motion_frames& frames);

}  // namespace actio
