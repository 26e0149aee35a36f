// The kernel of stages carried out with numbers, where there is no machine code.
#pragma once

#include <memory>
#include <span>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/compiled_function.hpp"

namespace actio {

class stage_iteration final : public collocation_kernel {
 public:
  stage_iteration(const collocation_code& code, std::span<const double> parameters);
  ~stage_iteration() override;

  stage_outcome solve() override;
  void set_parameters(std::span<const double> values) override;

  // The text with everything that it works on, for one number of lanes.
  struct carried_out;

 private:
  std::unique_ptr<evaluation<double>> field_, with_scale_;  // the second one in a scaled time alone
  std::unique_ptr<carried_out> text_;
};

}  // namespace actio
