// Steps of trajectories in lanes: up to eight trajectories of one system move together, in double precision.
//
// The bits of a lane depend on its own data alone: a lane that has converged keeps its values while others iterate. A
// lane that cannot be solved so is lost: it stays marked, and what it holds no longer means anything.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "actio/base/aligned.hpp"
#include "actio/mechanics/hamilton_program.hpp"

namespace actio {

class lane_workspace {
 public:
  virtual ~lane_workspace() = default;

  std::size_t width() const { return width_; }

  // Forgets all trajectories: what follows does not depend on what was before.
  virtual void clear() = 0;
  // Puts a trajectory at t = 0 into a lane; `varied` holds its parameters where these are variables.
  void start(std::size_t lane, std::span<const double> position, std::span<const double> momentum,
             std::span<const double> varied);
  // The first guess, from velocities (n rows): before the first step of all lanes.
  virtual void guess(const double* velocity) = 0;

  // Moves all lanes that live from time index·h to the next; false when none lives any more.
  virtual bool advance(std::size_t index) = 0;
  void lose(std::size_t lane) { rows_.lives[lane] = 0; }
  bool lives(std::size_t lane) const { return rows_.lives[lane] != 0; }

  // Rows, one a coordinate: row k of lane l stands at [k * width + l].
  const double* position() const { return rows_.position; }
  const double* position_remainder() const { return rows_.position_remainder; }
  const double* momentum() const { return rows_.momentum; }
  const double* momentum_remainder() const { return rows_.momentum_remainder; }
  const double* varied() const { return rows_.varied; }
  const double* work() const { return work_.data(); }  // of the last step

 protected:
  // Where the states stand, in arrays of the step's own.
  struct state_rows {
    double *position = nullptr, *position_remainder = nullptr, *momentum = nullptr, *momentum_remainder = nullptr,
           *varied = nullptr;
    double* lives = nullptr;  // 1 or 0
  };
  explicit lane_workspace(std::size_t width) : width_(width), work_(width, 0.0) {}

  std::size_t width_;
  state_rows rows_;
  aligned_vector<double> work_;  // one a lane
};

// What steps in lanes are made for.
struct lane_context {
  const system_code& code;         // of a system without constraints; needed until the maker is there
  parameter_role role;              // variable: each lane has parameters of its own
  std::vector<double> shared;       // those that all lanes have in common, elsewhere
  double step;
  bool has_power;  // energy is supplied to the system
  std::size_t width;
};

// Makes any number of workspaces, on any thread; must outlive them.
using lane_maker = std::function<std::unique_ptr<lane_workspace>()>;

inline void lane_workspace::start(std::size_t lane, std::span<const double> position, std::span<const double> momentum,
                                  std::span<const double> varied) {
  for (std::size_t a = 0; a < position.size(); ++a) {
    rows_.position[a * width_ + lane] = position[a];
    rows_.momentum[a * width_ + lane] = momentum[a];
    rows_.position_remainder[a * width_ + lane] = rows_.momentum_remainder[a * width_ + lane] = 0;
  }
  if (rows_.varied != nullptr) {
    for (std::size_t k = 0; k < varied.size(); ++k) rows_.varied[k * width_ + lane] = varied[k];
  }
  rows_.lives[lane] = 1;
}

}  // namespace actio
