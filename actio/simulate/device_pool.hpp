// GPUs that move trajectories of an ensemble, a thread each, with the bits of the lanes of a CPU.
//
// Each GPU has several blocks: while some move, starts and results of others are made and copied. A GPU that fails is
// not spoken to any more; what it had is for others.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "actio/device/gpu.hpp"
#include "actio/simulate/device_choice.hpp"
#include "actio/simulate/lane_engine.hpp"

namespace actio {

class device_pool {
 public:
  static constexpr std::size_t blocks_a_gpu = 8;  // as many as its queues of work

  // For so many trajectories. `lanes`, which outlives it, says what moves them. Throws gpu-unavailable, and gpu-refuses
  // where a GPU cannot hold them.
  device_pool(const lane_engine& lanes, const device_choice& choice, std::size_t trajectories);

  std::string name() const;
  // Trajectories that move together, and how many such portions at once: while a GPU has some, starts of others are
  // made and results added up.
  std::size_t portion() const { return portion_; }
  std::size_t portions_at_once() const { return 2 * blocks_.size(); }

  enum class outcome { moved, interrupted, lost };
  // As lane_block::run, for a portion at most; waits for a block that is free. `lost` where the GPU failed or none is
  // left: the results then mean nothing.
  outcome run(lane_members members, std::span<bool> solved, const std::function<bool()>& interrupted);

  // What failed since it was last asked, or "".
  std::string take_note();

 private:
  struct device_block {
    std::size_t gpu;
    std::unique_ptr<lane_block> lanes;
    bool is_free = true;
  };
  void open(const device_choice& choice);
  void make_blocks(const lane_engine& lanes, const device_choice& choice, std::size_t trajectories);
  device_block* take();
  void give_back(device_block& block);

  std::vector<std::shared_ptr<device::gpu>> gpus_;
  std::size_t portion_ = 0;
  std::vector<device_block> blocks_;
  std::string note_;
  std::set<std::size_t> given_up_;  // GPUs of which the note was written
  std::mutex mutex_;
  std::condition_variable freed_;
};

}  // namespace actio
