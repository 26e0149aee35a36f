// Steps of a Gauss method in lanes, as collocation on Hamilton's equations.
//
// Stages are found by fixed-point iteration as in collocation_step, with everything per lane; all nodes of all
// trajectories are the points of one evaluation. A lane whose iteration does not contract is lost.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/backend/compiled_function.hpp"
#include "actio/backend/lane_kernel.hpp"
#include "actio/base/aligned.hpp"
#include "actio/integrate/lane_workspace.hpp"

namespace actio {

// Everything that moves. Node i of a component stands at [component * stride + i * width], one number a lane.
struct collocation_lane_data {
  // The polynomial through the last `nodes` rates of a step, continued: s × nodes, from K to Z; and what it gave.
  struct prediction {
    std::size_t nodes = 0;
    aligned_vector<double> coefficients = {}, increments = {};
  };

  std::size_t components = 0, points = 0, stride = 0;  // 2n, s
  bool has_power = false;
  aligned_vector<double> nodes = {};                      // τ_i
  aligned_vector<double> even, odd, ends = {};            // h a_ij and h b_j by pairs of nodes
  aligned_vector<double> stages = {};                     // h a_ij, row by row: for machine code
  aligned_vector<double> stage_tails = {};                // what is missing of them
  aligned_vector<double> tails = {};                      // s × s: what is missing of h a_ij there
  std::vector<prediction> predictions = {};               // of rising degree
  aligned_vector<double> weights_high, weights_low = {};  // h b_i in two parts, the first one of few bits
  aligned_vector<double> state, remainder = {};           // a row a component: its lanes
  aligned_vector<double> in, rates = {};                  // arguments and K; rows of time, parameters, power follow
  aligned_vector<double> next = {};                       // Z that the last rates lead to
  std::vector<collocation_code::mass_entry> inverse_mass = {};
  aligned_vector<double> increments, small = {};  // Z, and what the remainders of coefficients add to it
  aligned_vector<double> inverse_weights = {};    // a row a component
  aligned_vector<double> choice = {};             // one a lane: the prediction that was nearest last time
  aligned_vector<double> wanted = {};             // one a lane, 1 or 0: to be tried once more
  aligned_vector<double> iterates, has_tails, wants_tails = {};  // one a lane, 1 or 0
  aligned_vector<double> squares, previous = {};                 // of the last change; the last but one
  aligned_vector<double> rate, missing = {};                     // of the geometric series that is left
  double *lives = nullptr, *work = nullptr;                      // of the workspace, one a lane
};

// The tables of a method with a step; everything else is empty.
collocation_lane_data collocation_tables(std::size_t points, double step);

struct collocation_kernels;

class collocation_lanes final : public lane_workspace {
 public:
  // `field` is compiled from the field of `code`; `shared` holds its parameters where these are no variables. `width`
  // is 1, 4 or 8.
  collocation_lanes(const collocation_lane_data& tables, const compiled_function<double>& field,
                    const collocation_code& code, std::span<const double> shared, double step, bool has_power,
                    std::size_t width);

  void clear() override;
  void guess(const double* velocity) override;
  bool advance(std::size_t index) override;

 private:
  void spread_parameters();
  bool iterate(int iteration);

  const collocation_kernels* kernels_;
  std::unique_ptr<evaluation<double>> field_;   // at all nodes of all lanes
  std::unique_ptr<lane_stage_kernel> machine_;  // an iteration; none where there is no machine code
  double step_;
  std::size_t varied_;
  std::vector<double> parameters_;
  collocation_lane_data data_;
};

}  // namespace actio
