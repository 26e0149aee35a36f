#include "actio/io/field_record.hpp"

#include <algorithm>

namespace actio {

namespace {

constexpr std::size_t most_fields = 4;
// Along an index, and moments; both are even. A picture of one index is as wide as a screen.
constexpr std::size_t most_cells[] = {600, 96}, most_moments[] = {400, 60}, fewest_members[] = {16, 6};

}  // namespace

coordinate_field::coordinate_field(const name_block& block, std::vector<std::int64_t> least)
    : name_(block.name), first_(block.first), cells_(1), capacity_(most_moments[block.extents.size() - 1]) {
  const std::size_t most = most_cells[block.extents.size() - 1];
  for (std::size_t k = 0; k < block.extents.size(); ++k) {
    const std::size_t members = block.extents[k], width = (members + most - 1) / most;
    directions_.push_back({members, width, (members + width - 1) / width, least[k]});
    cells_ *= directions_.back().cells;
  }
  weight_.assign(1, 1.0);
  for (const direction& d : directions_) {
    std::vector<double> finer;
    for (const double w : weight_) {
      for (std::size_t c = 0; c < d.cells; ++c) {
        finer.push_back(w * static_cast<double>(std::min(d.width, d.members - c * d.width)));
      }
    }
    weight_.swap(finer);
  }
}

void coordinate_field::add(double time, std::span<const double> position) {
  const std::size_t row = rows_++;
  if (row % stride_ != 0) return;
  if (times_.size() == capacity_) {
    halve();
    if (row % stride_ != 0) return;
  }
  times_.push_back(time);
  const std::size_t begin = values_.size();
  values_.resize(begin + cells_, 0.0);
  double* const cells = values_.data() + begin;
  const direction &outer = directions_.front(), &inner = directions_.back();
  const bool has_lines = directions_.size() == 2;
  const std::size_t lines = has_lines ? outer.members : 1;
  const double* member = position.data() + first_;
  for (std::size_t i = 0; i < lines; ++i) {
    double* const line = cells + (has_lines ? i / outer.width * inner.cells : 0);
    for (std::size_t j = 0; j < inner.members; ++j) line[j / inner.width] += *member++;
  }
  for (std::size_t c = 0; c < cells_; ++c) cells[c] /= weight_[c];
}

void coordinate_field::halve() {
  const std::size_t half = capacity_ / 2;
  for (std::size_t k = 1; k < half; ++k) {
    times_[k] = times_[2 * k];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(2 * k * cells_), cells_,
                values_.begin() + static_cast<std::ptrdiff_t>(k * cells_));
  }
  times_.resize(half);
  values_.resize(half * cells_);
  stride_ *= 2;
}

std::vector<coordinate_field> fields_of(const std::vector<std::string>& coordinates) {
  std::vector<coordinate_field> fields;
  for (const name_block& block : blocks_of_names(coordinates)) {
    const std::size_t indices = block.extents.size();
    if (indices < 1 || indices > 2 || fields.size() == most_fields) continue;
    if (std::ranges::any_of(block.extents, [&](std::size_t count) { return count < fewest_members[indices - 1]; })) {
      continue;
    }
    fields.emplace_back(block, parts_of_member(coordinates[block.first]).indices);
  }
  return fields;
}

}  // namespace actio
