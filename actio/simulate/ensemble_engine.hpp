// What moves the trajectories of an ensemble: some at once, in lanes where the system allows it, on several threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "actio/simulate/device_pool.hpp"
#include "actio/simulate/ensemble.hpp"
#include "actio/simulate/lane_engine.hpp"
#include "actio/simulate/lone_engine.hpp"

namespace actio {

// What a portion of trajectories needs beside its results; it keeps its memory for the next.
struct portion_memory {
  std::vector<char> complete = {};  // which trajectories are
  std::vector<std::size_t> order = {};
  std::vector<trajectory_result*> members = {};
  std::vector<std::size_t> unsolved = {};
};

class ensemble_engine {
 public:
  // Both must outlive it. Throws what the integrator throws for the model as it stands, and what device_pool throws.
  ensemble_engine(const ensemble_plan& plan, const ensemble_options& options);

  const integrator<double>& flow() const { return alone_.flow(); }
  std::string name() const;

  // Trajectories that GPUs move best together, and in how many threads `compute` may be called at once; 0 and 1 without
  // GPUs.
  std::size_t device_portion() const { return devices_ ? devices_->portion() : 0; }
  std::size_t portions_at_once() const;

  // Moves the trajectories with the numbers that `results` have (trajectory_result::index) from their starts, with the
  // paces that they have; those that have none get that of the options. Those of like pace stand side by side. False
  // when it was interrupted: the memory says which are complete. `done` is told how many are, by one thread at a time.
  bool compute(std::span<trajectory_result> results, portion_memory& memory,
               const std::function<void(std::size_t done)>& done = {});

  // What GPUs have to translate. Throws gpu-refuses where there is none.
  static const kernel::trajectory_code& code_for_devices(const lane_engine* lanes, const ensemble_plan& plan,
                                                         const lone_engine& alone, const ensemble_options& options);

 private:
  bool is_interrupted();
  void begin(std::span<trajectory_result> results);
  void judge(trajectory_result& result) const;
  void compute_some(std::span<trajectory_result> all, std::span<const std::size_t> which, std::vector<char>& complete);
  bool compute_on_devices(std::span<trajectory_result> results, portion_memory& memory);

  bool compute_what_was_lost(std::span<trajectory_result> results, std::span<const std::size_t> which,
                             std::vector<char>& complete);

  const ensemble_plan& plan_;
  const ensemble_options& options_;
  const lone_engine alone_;
  const std::unique_ptr<const lane_engine> lanes_;
  std::unique_ptr<device_pool> devices_;
  std::atomic<bool> stop_{false};
  std::mutex noting_;
};

}  // namespace actio
