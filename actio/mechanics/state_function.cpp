#include "actio/mechanics/state_function.hpp"

#include "actio/program/program.hpp"

namespace actio {

namespace {

template <class S>
std::shared_ptr<const compiled_function<S>> compiled(const lagrangian_system& system, std::span<const expr> values) {
  std::vector<expr> variables(system.coordinates);
  for (const auto& part : {system.velocities(), {time_symbol()}, system.momenta()}) {
    variables.insert(variables.end(), part.begin(), part.end());
  }
  return compile<S>(lower(std::vector<expr>(values.begin(), values.end()), system.parameter_symbols(), variables));
}

}  // namespace

template <class S>
state_function<S>::state_function(const phase_space<S>& space, std::span<const expr> values)
    : function_(compiled<S>(space.system(), values)),
      evaluation_(*function_, 1, space.parameters()),
      in_(function_->inputs() * evaluation_.stride(), S(0)),
      out_(function_->outputs() * evaluation_.stride(), S(0)) {}

template <class S>
void state_function<S>::evaluate(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p) {
  const std::size_t n = q.size();
  for (std::size_t i = 0; i < n; ++i) {
    argument(i) = q[i];
    argument(n + i) = v[i];
  }
  argument(2 * n) = t;
  for (std::size_t i = 0; i < p.size(); ++i) argument(2 * n + 1 + i) = p[i];
  evaluate();
}

#define ACTIO_INSTANTIATE(S) template class state_function<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
