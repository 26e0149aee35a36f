// Trajectories of an ensemble moved by a Gauss method, with their certificates, in one piece of machine code: many
// steps a call, some trajectories in lanes, or many in the threads of a GPU. See kernel/trajectory_text.hpp for what it
// does.
#pragma once

#include <memory>
#include <span>

#include "actio/backend/kernel/trajectory_code.hpp"

namespace actio {

class trajectory_kernel {
 public:
  virtual ~trajectory_kernel() = default;

  // Zeros in all rows. From here on only the first `used` lanes need to move.
  virtual void clear(std::size_t used) = 0;
  // Steps first … end − 1 of the lanes that live; the first call after `clear` begins with 0.
  virtual void run(std::size_t first, std::size_t end) = 0;
  // The same where the lanes `own` … 2 own − 1 are neighbours of the first ones, which are brought back after each step
  // (see kernel/neighbour_text.hpp).
  virtual void run_beside(std::size_t first, std::size_t end, std::size_t own);
  // Puts these neighbours beside their trajectories.
  void start_beside(std::size_t own);
  // Before `run`, where state, step, parameters or flags of lanes were changed after a call.
  virtual void accept_changes() {}
  // Steps that a call takes so little time for that it is worth waiting for them.
  virtual std::size_t patience() const { return 1024; }

  const kernel::trajectory_rows& rows() const { return rows_; }
  std::size_t lanes() const { return lanes_; }
  // A number a lane.
  double* row(std::size_t k) { return numbers_ + k * lanes_; }
  const double* row(std::size_t k) const { return numbers_ + k * lanes_; }

 protected:
  trajectory_kernel(const kernel::trajectory_rows& rows, std::size_t lanes) : rows_(rows), lanes_(lanes) {}
  kernel::trajectory_rows rows_;
  std::size_t lanes_;
  double* numbers_ = nullptr;  // rows_.count() rows, which the heir owns
};

// `parameters` are those that all lanes have in common. Nothing where there is no machine code.
std::unique_ptr<trajectory_kernel> make_trajectory_kernel(const kernel::trajectory_code& code,
                                                          std::span<const double> parameters, std::size_t lanes);

}  // namespace actio
