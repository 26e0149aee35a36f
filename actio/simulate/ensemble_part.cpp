#include "actio/simulate/ensemble_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "actio/base/option_naming.hpp"
#include "actio/simulate/ensemble_plan.hpp"

namespace actio {

namespace {

// A whole number without anything else, or nothing.
std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

}  // namespace

ensemble_part part_from(const source_text& typed) {
  const std::size_t slash = std::min(typed.text.find('/'), typed.text.size());
  const auto number = number_in(std::string_view(typed.text).substr(0, slash));
  const auto parts =
      slash < typed.text.size() ? number_in(std::string_view(typed.text).substr(slash + 1)) : std::nullopt;
  if (number && parts && *number >= 1 && *number <= *parts && *parts <= most_trajectories) return {*number, *parts};
  throw input_error("bad-part", fmt::format("'{}' is no part of an ensemble", typed.text), whole_place(typed),
                    "give K/P with whole numbers, 1 <= K <= P: 2/8 is the second of eight parts");
}

std::string to_text(const ensemble_part& part) { return fmt::format("{}/{}", part.number, part.parts); }

trajectory_range range_of(const ensemble_part& part, std::size_t trajectories) {
  return {(part.number - 1) * trajectories / part.parts, part.number * trajectories / part.parts};
}

void append_to(std::vector<trajectory_range>& ranges, std::size_t trajectory) {
  if (!ranges.empty() && ranges.back().end == trajectory) ++ranges.back().end;
  else ranges.push_back({trajectory, trajectory + 1});
}

std::vector<trajectory_range> missing_from(const trajectory_range& whole, std::vector<trajectory_range> held) {
  std::ranges::sort(held, {}, &trajectory_range::first);
  std::vector<trajectory_range> missing;
  std::size_t at = whole.first;
  for (const trajectory_range& range : held) {
    const std::size_t first = std::min(range.first, whole.end);
    if (first > at) missing.push_back({at, first});
    at = std::max(at, range.end);
  }
  if (at < whole.end) missing.push_back({at, whole.end});
  return missing;
}

std::size_t size_of(std::span<const trajectory_range> ranges) {
  std::size_t size = 0;
  for (const trajectory_range& range : ranges) size += range.size();
  return size;
}

std::string to_text(std::span<const trajectory_range> ranges) {
  constexpr std::size_t listed = 5;
  std::string text;
  for (const trajectory_range& range : ranges.first(std::min(listed, ranges.size()))) {
    if (!text.empty()) text += ", ";
    text += range.size() == 1 ? fmt::format("{}", range.first) : fmt::format("{} to {}", range.first, range.end - 1);
  }
  return ranges.size() > listed ? text + " and more" : text;
}

}  // namespace actio
