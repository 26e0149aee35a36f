// The iteration of a collocation kernel carried out by any backend: for large systems and where there is no machine
// code.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/compiled_function.hpp"

namespace actio {

class stage_iteration final : public collocation_kernel {
 public:
  stage_iteration(const collocation_code& code, std::span<const double> parameters);

  stage_outcome solve() override;
  void set_parameters(std::span<const double> values) override {
    field_->set_parameters(values);
    if (with_scale_) with_scale_->set_parameters(values);
  }

 private:
  void place_arguments();
  void evaluate_rates(bool with_scale);
  void take_reference();
  void follow_scale(std::size_t first, const double* by, const double* moved, double sign);

  std::size_t n_;
  std::vector<matrix_entry> inverse_mass_;
  std::unique_ptr<evaluation<double>> field_, with_scale_;  // the second one in a scaled time alone
  std::vector<double> in_, out_;                            // arguments and values of the field
  // Z = high + small: what the reference rates lead to, and the rest.
  std::vector<double> high_, low_, reference_, small_, next_, difference_;
  std::vector<double> slopes_, velocity_, omega_, summed_, zero_;  // c and q' in a scaled time, what follows from them
  std::vector<double> start_, remainder_, inverse_size_;           // of a component in all its lanes
};

}  // namespace actio
