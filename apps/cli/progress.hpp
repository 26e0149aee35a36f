// A line on the terminal that says how far a long computation is. Silent in pipes.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace actio::cli {

class progress_line {
 public:
  explicit progress_line(bool wanted);
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  // Shows how many of `all` items are done and the time left; at most a few times a second, not in the first moments.
  // The time left is that of `what`: another text begins another count.
  void show(const std::string& what, std::size_t done, std::size_t all);
  // The same where only the part of the work that is done is known, 0 to 1.
  void show(const std::string& what, double part);
  // The same for the steps of a run, as a bar with steps per second and simulated time.
  void show(std::size_t step, std::size_t steps, double time);

 private:
  using clock = std::chrono::steady_clock;
  bool is_due();
  bool is_visible_, has_text_ = false;
  clock::time_point start_, next_;
  std::size_t first_step_ = 0, first_done_ = 0;
  std::string counted_;
};

}  // namespace actio::cli
