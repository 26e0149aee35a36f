// Steps of a Galerkin method in lanes: up to eight trajectories of one small system move together, in double precision.
//
// The iteration of fused_step with everything per lane: data, parameters, prediction and its order, convergence. A lane
// that has converged keeps its values while others iterate, so that its bits depend on its own data alone. A lane that
// the iteration cannot solve is lost: it stays marked, and what it holds no longer means anything.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/backend/compiled_function.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

// Everything that moves, lane-minor: row k of lane l stands at [k * width + l].
struct lane_data {
  newton_layout layout{};
  double step = 0;
  bool has_power = false;
  std::size_t known = 0;                  // backward differences, in all lanes alike
  std::size_t highest = 0;                // order of a prediction among the lanes
  std::vector<double> continuation = {};  // s × s, of the step's own polynomial over the next step
  std::vector<double> in, out = {};       // of the iteration
  std::vector<double> differences, continued, inverse_weights, expected = {};
  std::vector<double> order, by_polynomial, curvature, previous, work = {};  // one a lane
  std::vector<double> iterates, lives = {};                                  // 1 or 0
};

class lane_step {
 public:
  // `iteration` is compiled from newton_program of the same scheme; `shared` holds its parameters without the step.
  // `width` is 1, 4 or 8.
  lane_step(const galerkin_scheme& scheme, const compiled_function<double>& iteration, const newton_layout& layout,
            std::span<const double> shared, double step, bool has_power, std::size_t width);

  std::size_t width() const { return width_; }

  // Puts a trajectory at t = 0 into a lane; `varied` holds its parameters where these are variables.
  void start(std::size_t lane, std::span<const double> position, std::span<const double> momentum,
             std::span<const double> varied);
  // The first unknowns, from velocities (n rows): before the first step of all lanes.
  void guess(const double* velocity);

  // Moves all lanes that live from time index·h to the next; false when none lives any more.
  bool advance(std::size_t index);
  void lose(std::size_t lane) { data_.lives[lane] = 0; }
  bool lives(std::size_t lane) const { return data_.lives[lane] != 0; }

  const double* position() const { return &data_.in[data_.layout.position() * width_]; }
  const double* momentum() const { return &data_.in[data_.layout.momentum() * width_]; }
  const double* varied() const { return &data_.in[data_.layout.parameters() * width_]; }
  const double* work() const { return data_.work.data(); }  // of the last step

 private:
  struct kernels;
  static const kernels& kernels_for(std::size_t width);

  std::size_t width_;
  const kernels* kernels_;
  galerkin_tableau<double> tableau_;
  std::unique_ptr<evaluation<double>> iteration_;
  lane_data data_;
};

}  // namespace actio
