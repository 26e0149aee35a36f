#include "actio/mechanics/lagrangian_derivatives.hpp"

#include "actio/expr/derivative.hpp"

namespace actio {

namespace {

lagrangian_derivatives::rows jacobian(const std::vector<expr>& of, std::span<const expr> symbols) {
  lagrangian_derivatives::rows result;
  for (const expr& e : of) result.push_back(gradient(e, symbols));
  return result;
}

lagrangian_derivatives::rows symmetric(lagrangian_derivatives::rows a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) a[i][j] = a[j][i];
  }
  return a;
}

}  // namespace

lagrangian_derivatives::lagrangian_derivatives(const lagrangian_system& system)
    : by_position(gradient(system.lagrangian, system.coordinates)),
      by_velocity(gradient(system.lagrangian, system.velocities())),
      by_time(derivative(system.lagrangian, time_symbol())),
      by_positions(symmetric(jacobian(by_position, system.coordinates))),
      by_velocities(symmetric(jacobian(by_velocity, system.velocities()))),
      mixed(jacobian(by_velocity, system.coordinates)) {}

const lagrangian_derivatives& derivatives_of(const system_code& code) {
  return *code.piece<lagrangian_derivatives>("", [&] { return lagrangian_derivatives(code.system()); });
}

}  // namespace actio
