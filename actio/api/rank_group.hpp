// Processes that do one ensemble together, as MPI starts them. The library only asks; who starts the processes answers.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "actio/simulate/ensemble_part.hpp"

namespace actio {

class rank_group {
 public:
  virtual ~rank_group() = default;
  virtual std::size_t rank() const = 0;  // 0 … size() − 1
  virtual std::size_t size() const = 0;
  // All call it and get the same: the first text that is not empty, in the order of ranks.
  virtual std::string first_of(const std::string& text) = 0;
  // All call it: throws where a rank has found something in the way, in its words.
  void require_none(const std::string& obstacle);
  // All call it: each takes ranges of `work` (as rank 0 has it) until none is left or `is_over` (of rank 0) says so,
  // and ends when all have ended. Ranges get shorter towards the end, so that all end together.
  virtual void share(const std::vector<trajectory_range>& work, const std::function<bool()>& is_over,
                     const std::function<void(const range_source&)>& compute) = 0;
};

// What stopped one of the processes, told to all of them; whoever speaks to people says it once.
class rank_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Hands out ranges in their order: of what is left, a quarter of the share of each rank, but not less than there are lanes.
class range_queue {
 public:
  range_queue(std::vector<trajectory_range> ranges, std::size_t ranks);
  std::optional<trajectory_range> next();

 private:
  std::vector<trajectory_range> ranges_;
  std::size_t at_ = 0, left_, ranks_;
};

// One process alone.
class single_process final : public rank_group {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  std::string first_of(const std::string& text) override { return text; }
  void share(const std::vector<trajectory_range>& work, const std::function<bool()>& is_over,
             const std::function<void(const range_source&)>& compute) override;
};

}  // namespace actio
