// Values of a system's parameters by name, where some are not those of the model.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

class parameter_overrides {
 public:
  explicit parameter_overrides(const lagrangian_system& system);

  // Parameters that the model defines by this one follow, unless they were given a value themselves. Throws
  // unknown-name, bad-number; nothing has changed then.
  void set(std::string_view name, double value);
  // All of them, in the order of the model.
  const std::vector<double>& values() const { return values_; }

 private:
  lagrangian_system system_;  // its parameters alone
  std::vector<std::optional<double>> assigned_;
  std::vector<double> values_;
  bool any_follows_ = false;  // a parameter is defined by others
};

}  // namespace actio
