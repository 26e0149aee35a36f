// What an exact solution starts from: a model's parameters and initial data as numbers.
#pragma once

#include <string_view>
#include <vector>

#include "actio/mechanics/model.hpp"

namespace actio {

template <class S>
class exact_start {
 public:
  explicit exact_start(const model& m) : system_(m.system), parameters_(parameter_values<S>(m.system)) {
    for (const named_expr& q : m.initial.position) position.push_back(quantity_value<S>(system_, q.value));
    for (const named_expr& r : m.initial.rates) rates.push_back(quantity_value<S>(system_, r.value));
  }

  const S& parameter(std::string_view name) const {
    std::size_t i = 0;
    while (i < parameters_.size() && system_.parameters[i].name != name) ++i;
    ACTIO_ASSERT(i < parameters_.size());
    return parameters_[i];
  }

  std::vector<S> position, rates;  // rates: velocities or momenta, as the model gives them

 private:
  const lagrangian_system& system_;
  std::vector<S> parameters_;
};

}  // namespace actio
