#include "actio/mechanics/coordinate_boxes.hpp"

#include <algorithm>

namespace actio {

std::size_t coordinate_box::count() const {
  std::size_t result = 1;
  for (std::size_t k = 0; k < least.size(); ++k) {
    if (most[k] < least[k]) return 0;
    result *= static_cast<std::size_t>(most[k] - least[k] + 1);
  }
  return result;
}

bool coordinate_box::contains(const member_parts& member) const {
  if (member.base != base || member.indices.size() != least.size()) return false;
  for (std::size_t k = 0; k < least.size(); ++k) {
    if (member.indices[k] < least[k] || member.indices[k] > most[k]) return false;
  }
  return true;
}

std::optional<std::string> coordinate_box::shared_with(const coordinate_box& other, const std::string& prefix) const {
  if (base != prefix + other.base || least.size() != other.least.size()) return std::nullopt;
  std::vector<std::int64_t> at;
  for (std::size_t k = 0; k < least.size(); ++k) {
    at.push_back(std::max(least[k], other.least[k]));
    if (at.back() > std::min(most[k], other.most[k])) return std::nullopt;
  }
  return member_name(base, at);
}

const coordinate_box* coordinate_boxes::find(const std::string& name) const {
  if (boxes_.empty() || !name.ends_with(']')) return nullptr;
  const member_parts parts = parts_of_member(name);
  const auto found = std::ranges::find_if(boxes_, [&](const coordinate_box& box) { return box.contains(parts); });
  return found == boxes_.end() ? nullptr : &*found;
}

std::optional<std::size_t> coordinate_boxes::number_of(const std::string& name) const {
  const coordinate_box* const box = find(name);
  if (box == nullptr) return std::nullopt;
  const std::vector<std::int64_t> at = parts_of_member(name).indices;
  std::size_t number = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    number = number * static_cast<std::size_t>(box->most[k] - box->least[k] + 1) +
             static_cast<std::size_t>(at[k] - box->least[k]);
  }
  return box->first + number;
}

std::optional<coordinate_boxes::numbers> coordinate_boxes::numbers_of(const std::string& base,
                                                                      const std::vector<index_range>& ranges) const {
  for (const coordinate_box& box : boxes_) {
    if (box.base != base || box.least.size() != ranges.size()) continue;
    numbers result{box.first, std::vector<std::size_t>(ranges.size(), 1)};
    bool is_inside = true;
    std::size_t stride = 1;
    for (std::size_t k = ranges.size(); k-- > 0;) {
      is_inside = is_inside && ranges[k].first >= box.least[k] && ranges[k].last <= box.most[k];
      result.strides[k] = stride;
      if (is_inside) result.first += stride * static_cast<std::size_t>(ranges[k].first - box.least[k]);
      stride *= static_cast<std::size_t>(box.most[k] - box.least[k] + 1);
    }
    if (is_inside) return result;
  }
  return std::nullopt;
}

}  // namespace actio
