// Steps of a Gauss method in lanes, as collocation on Hamilton's equations.
//
// Stages are found by fixed-point iteration as in collocation_step, with everything per lane, by lane_stage_kernel. A
// lane whose iteration does not contract is lost.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/backend/lane_kernel.hpp"
#include "actio/base/aligned.hpp"
#include "actio/integrate/lane_workspace.hpp"

namespace actio {

// What all workspaces of a method with a step have in common.
struct collocation_lane_tables {
  // The polynomial through the last `nodes` rates of two steps, continued over the next one: s × 2s, from the rates of
  // the last step but one and of the last one.
  struct prediction {
    std::size_t nodes = 0;
    std::vector<double> coefficients = {};
    std::vector<double> stages = {};  // what these rates lead to, times h
  };

  std::size_t points = 0;
  std::vector<double> nodes = {};                            // h τ_i
  std::vector<double> stages = {}, stage_remainders = {};    // h a_ij
  std::vector<double> weights = {}, weight_remainders = {};  // h b_i
  std::vector<prediction> predictions = {};                  // of rising degree
};

collocation_lane_tables collocation_tables(std::size_t points, double step);

class collocation_lanes final : public lane_workspace {
 public:
  // There must be machine code. `shared` holds the parameters of the field where these are no variables. `width` is 1,
  // 4 or 8. `tables` must outlive it.
  collocation_lanes(const collocation_lane_tables& tables, const collocation_code& code, std::span<const double> shared,
                    double step, bool has_power, std::size_t width);

  void clear() override;
  void guess(const double* velocity) override;
  bool advance(std::size_t index) override;

 private:
  void set_times(double begin);
  void judge_predictions();
  void choose_prediction(std::size_t lane, std::size_t k);

  const collocation_lane_tables& tables_;
  std::unique_ptr<lane_stage_kernel> kernel_;
  double step_;
  bool has_power_, reads_time_;
  aligned_vector<double> choice_, nearest_;  // predictions, one a lane
};

}  // namespace actio
