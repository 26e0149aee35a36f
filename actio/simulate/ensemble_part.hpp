// Which trajectories of an ensemble are done here: parts of job arrays, and ranges that processes take one by one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/base/error.hpp"

namespace actio {

// Trajectories first … end − 1.
struct trajectory_range {
  std::size_t first = 0, end = 0;
  std::size_t size() const { return end - first; }
  bool operator==(const trajectory_range&) const = default;
};

// The next range to be computed, nothing when there is none left; each begins behind the one before.
using range_source = std::function<std::optional<trajectory_range>()>;

// Part `number` of `parts`, 1 ≤ number ≤ parts.
struct ensemble_part {
  std::size_t number = 1, parts = 1;
  bool operator==(const ensemble_part&) const = default;
};

// "2/8". Throws bad-part.
ensemble_part part_from(const source_text& typed);
std::string to_text(const ensemble_part& part);

// Part k of P of N trajectories: those from ⌊(k−1)N/P⌋ to ⌊kN/P⌋ − 1. Empty parts are possible where P > N.
trajectory_range range_of(const ensemble_part& part, std::size_t trajectories);

// Adds a trajectory behind all of `ranges`.
void append_to(std::vector<trajectory_range>& ranges, std::size_t trajectory);
// Ranges of `whole` that are in none of `held`, which may overlap and come in any order.
std::vector<trajectory_range> missing_from(const trajectory_range& whole, std::vector<trajectory_range> held);
std::size_t size_of(std::span<const trajectory_range> ranges);
// "3, 5 to 9, 20 and more".
std::string to_text(std::span<const trajectory_range> ranges);

}  // namespace actio
