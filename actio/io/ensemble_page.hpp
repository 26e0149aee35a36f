// The page of an ensemble: maps over two swept values, distributions, a Poincaré section, failures.
//
// What it keeps does not grow with the ensemble: maps of at most 2000 by 2000 points, histograms whose bins become
// wider, crossings thinned evenly.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "actio/io/report.hpp"
#include "actio/simulate/ensemble_statistics.hpp"

namespace actio {

// A quantity over two swept values, a row of points a value of the second one.
struct ensemble_map {
  std::string name;
  bool logarithmic = false;
  std::vector<std::string> categories = {};  // what values count, or none
  std::vector<float> values = {};            // NaN where there is none
};

// Looks on while an ensemble is computed. The plan outlives it.
class ensemble_recorder final : public ensemble_observer {
 public:
  ensemble_recorder(const ensemble_plan& plan, const ensemble_options& options);

  void see(const trajectory_result& result) override;

  struct axis {
    const swept_variable* variable = nullptr;
    std::size_t sweep = 0, stride = 1, count = 0;  // of points kept
  };
  const std::vector<axis>& axes() const { return axes_; }  // two, one, or none
  const std::vector<ensemble_map>& maps() const { return maps_; }
  const ensemble_statistics& statistics() const { return statistics_; }
  // q, p of crossings, one after the other, every stride-th.
  const std::vector<std::vector<double>>& crossings() const { return crossings_; }
  std::size_t crossing_stride() const { return crossing_stride_; }
  const ensemble_plan& plan() const { return plan_; }

 private:
  void choose_axes();
  void choose_maps(const ensemble_options& options);
  bool place_of(std::size_t trajectory, std::size_t& place) const;
  void keep_crossings(const trajectory_result& result);

  const ensemble_plan& plan_;
  ensemble_statistics statistics_;
  std::vector<axis> axes_;
  std::vector<ensemble_map> maps_;
  std::size_t positions_, momenta_;
  std::vector<std::vector<double>> crossings_;
  std::size_t crossing_stride_ = 1, crossings_seen_ = 0;
};

std::string ensemble_page(const ensemble_report& report, const ensemble_recorder& recorder, const model& m,
                          const report_context& context);

}  // namespace actio
