// Steps of a Galerkin method in lanes, by Newton's method: for small systems, whose iteration is one program.
//
// As in fused_step a step ends with the first update whose square is below rounding, with everything per lane: data,
// parameters, prediction and its order, convergence.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/backend/compiled_function.hpp"
#include "actio/base/aligned.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/integrate/lane_workspace.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

// Everything that moves, lane-minor: row k of lane l stands at [k * width + l].
struct lane_data {
  newton_layout layout{};
  double step = 0;
  bool has_power = false;
  std::size_t known = 0;                     // backward differences, in all lanes alike
  std::size_t highest = 0;                   // order of a prediction among the lanes
  aligned_vector<double> continuation = {};  // s × s, of the step's own polynomial over the next step
  aligned_vector<double> in, out = {};       // of the iteration
  aligned_vector<double> differences, continued, inverse_weights, expected = {};
  aligned_vector<double> order, by_polynomial, curvature = {};  // one a lane
  aligned_vector<double> size, undone, previous = {};  // of the last update and what it left; of the one before
  aligned_vector<double> takes, iterates = {};         // 1 or 0
  double *lives = nullptr, *work = nullptr;            // of the workspace, one a lane
};

class lane_step final : public lane_workspace {
 public:
  // `iteration` is compiled from newton_program of the same scheme; `shared` holds its parameters without the step.
  // `width` is 1, 4 or 8.
  lane_step(const galerkin_scheme& scheme, const compiled_function<double>& iteration, const newton_layout& layout,
            std::span<const double> shared, double step, bool has_power, std::size_t width);

  void clear() override;
  void guess(const double* velocity) override;
  bool advance(std::size_t index) override;

 private:
  struct kernels;
  static const kernels& kernels_for(std::size_t width);

  const kernels* kernels_;
  galerkin_tableau<double> tableau_;
  std::unique_ptr<evaluation<double>> iteration_;
  lane_data data_;
  aligned_vector<double> lives_;
};

}  // namespace actio
