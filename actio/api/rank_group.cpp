#include "actio/api/rank_group.hpp"

#include <algorithm>

namespace actio {

namespace {
constexpr std::size_t least = 8;  // trajectories of a range, as many as lanes
}

void rank_group::require_none(const std::string& obstacle) {
  const std::string first = first_of(obstacle);
  if (!first.empty()) throw rank_error(first);
}

range_queue::range_queue(std::vector<trajectory_range> ranges, std::size_t ranks)
    : ranges_(std::move(ranges)), left_(size_of(ranges_)), ranks_(ranks) {}

std::optional<trajectory_range> range_queue::next() {
  while (at_ < ranges_.size() && ranges_[at_].size() == 0) ++at_;
  if (at_ == ranges_.size()) return {};
  trajectory_range& from = ranges_[at_];
  const std::size_t size = std::min(from.size(), std::max(least, left_ / (4 * ranks_)));
  const trajectory_range taken{from.first, from.first + size};
  from.first += size;
  left_ -= size;
  return taken;
}

void single_process::share(const std::vector<trajectory_range>& work, const std::function<bool()>& is_over,
                           const std::function<void(const range_source&)>& compute) {
  range_queue queue(work, 1);
  compute([&]() -> std::optional<trajectory_range> { return is_over() ? std::nullopt : queue.next(); });
}

}  // namespace actio
