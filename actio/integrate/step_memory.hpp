// What a step remembers of earlier ones, as a list of numbers: one function of the step names them in their order, for
// writing and for reading.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/snapshot.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

// Reading throws snapshot_error where the numbers cannot be those of the step.
template <class S>
class step_memory {
 public:
  step_memory() = default;  // to write into
  explicit step_memory(std::span<const S> saved) : reads_(true), left_(saved) {}

  bool reads() const { return reads_; }
  bool is_at_end() const { return left_.empty(); }
  std::vector<S> written() { return std::move(written_); }
  static void require(bool fits) {
    if (!fits) throw snapshot_error("its history does not belong to this method and system");
  }

  void number(S& x) { numbers(std::span<S>(&x, 1)); }
  void numbers(std::span<S> xs) {
    if (reads_) std::ranges::copy(next(xs.size()), xs.begin());
    else written_.insert(written_.end(), xs.begin(), xs.end());
  }
  // Written from one place, read into another.
  void numbers(std::span<const S> from, std::span<S> to) {
    if (reads_) numbers(to);
    else written_.insert(written_.end(), from.begin(), from.end());
  }
  // A whole number from 0 to `most`.
  void count(std::size_t& k, std::size_t most) {
    S x(static_cast<double>(k));
    number(x);
    if (!reads_) return;
    const double read = to_double(x);
    require(read >= 0 && read <= static_cast<double>(most) && read == std::floor(read));
    k = static_cast<std::size_t>(read);
  }
  void flag(bool& x) {
    std::size_t k = x ? 1 : 0;
    count(k, 1);
    x = k != 0;
  }
  // All that another step remembers; nothing follows.
  void inner(step_workspace<S>& step) {
    if (reads_) return step.restore_history(std::exchange(left_, {}));
    const std::vector<S> all = step.history();
    written_.insert(written_.end(), all.begin(), all.end());
  }

 private:
  std::span<const S> next(std::size_t size) {
    require(left_.size() >= size);
    const std::span<const S> found = left_.first(size);
    left_ = left_.subspan(size);
    return found;
  }

  bool reads_ = false;
  std::vector<S> written_;
  std::span<const S> left_;
};

// Steps are not counted beyond what a double can hold.
inline constexpr std::size_t most_steps_counted = std::size_t{1} << 53;

template <class S>
class remembering_step : public step_workspace<S> {
 public:
  std::vector<S> history() const override {
    step_memory<S> memory;
    const_cast<remembering_step*>(this)->remember(memory);  // writing reads only
    return memory.written();
  }
  void restore_history(std::span<const S> saved) override {
    step_memory<S> memory(saved);
    remember(memory);
    memory.require(memory.is_at_end());
  }

 protected:
  using step_workspace<S>::step_workspace;
  virtual void remember(step_memory<S>& memory) = 0;
};

}  // namespace actio
