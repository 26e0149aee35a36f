// The events of a run as columns: many of them take little memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace actio {

// Where an event happened, and the state that it left.
template <class S>
struct event_record {
  std::string name;
  S time{0};
  std::vector<S> position, momentum;
};
// As many are kept, the first ones.
inline constexpr std::size_t most_events = 100'000;

template <class S>
class event_list {
 public:
  std::size_t size() const { return times_.size(); }
  bool empty() const { return times_.empty(); }

  // All positions have one size, all momenta another.
  void append(std::string_view name, const S& time, std::span<const S> position, std::span<const S> momentum) {
    const auto known = std::ranges::find(names_, name);
    kinds_.push_back(static_cast<std::uint32_t>(known - names_.begin()));
    if (known == names_.end()) names_.emplace_back(name);
    times_.push_back(time);
    positions_.insert(positions_.end(), position.begin(), position.end());
    momenta_.insert(momenta_.end(), momentum.begin(), momentum.end());
  }
  void clear() { *this = {}; }

  // Each name once, in the order in which they happened first; of each event its place among them.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::uint32_t>& kinds() const { return kinds_; }
  const std::vector<S>& times() const { return times_; }
  // One row an event.
  const std::vector<S>& positions() const { return positions_; }
  const std::vector<S>& momenta() const { return momenta_; }

  const std::string& name(std::size_t k) const { return names_[kinds_[k]]; }
  std::span<const S> position(std::size_t k) const { return row(positions_, k); }
  std::span<const S> momentum(std::size_t k) const { return row(momenta_, k); }
  event_record<S> operator[](std::size_t k) const {
    const auto q = position(k), p = momentum(k);
    return {name(k), times_[k], {q.begin(), q.end()}, {p.begin(), p.end()}};
  }

 private:
  std::span<const S> row(const std::vector<S>& all, std::size_t k) const {
    const std::size_t width = all.size() / times_.size();
    return std::span(all).subspan(k * width, width);
  }

  std::vector<std::string> names_;
  std::vector<std::uint32_t> kinds_;
  std::vector<S> times_, positions_, momenta_;
};

// The values that sampled controls had from their samples on.
template <class S>
struct control_samples {
  std::vector<std::string> names;
  std::vector<S> times, values;  // values: one row a time, one column a control
};

}  // namespace actio
