// The processes that mpirun has started as one program. Without mpirun nothing of MPI is started.
#pragma once

#include <functional>
#include <memory>

#include "actio/api/rank_group.hpp"

namespace actio::cli {

class started_ranks : public rank_group {
 public:
  // Those that this process belongs to; nothing where it was started alone. Throws mpi-unavailable.
  static std::unique_ptr<started_ranks> find();

  // How many of them are on this machine.
  virtual std::size_t size_here() const = 0;
  // All call it with the same command. What one of them throws ends all: rank 0 says it, once, and has its status.
  int guarded(const std::function<int()>& command);

 protected:
  bool is_agreed_ = false;  // all have come so far that none stops alone
};

}  // namespace actio::cli
