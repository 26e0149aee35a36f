#include "actio/tableaux/lobatto_pair.hpp"

#include "actio/base/error.hpp"
#include "actio/tableaux/wide_tables.hpp"

namespace actio {

namespace {

template <class S>
lobatto_pair<S> computed_pair(std::size_t stages) {
  const quadrature_rule<wide_real> rule = lobatto_rule<wide_real>(stages);
  const basis_through basis(rule.nodes);
  lobatto_pair<S> pair{.stages = stages,
                       .node = {},
                       .weights = zero_split<S>(1, stages),
                       .position = zero_split<S>(stages, stages),
                       .momentum = zero_split<S>(stages, stages),
                       .extension = matrix<S>(stages, stages)};
  for (std::size_t i = 0; i < stages; ++i) {
    pair.node.push_back(rounded<S>(rule.nodes[i]));
    set_split(pair.weights, 0, i, rule.weights[i]);
    const std::vector<wide_real> integral = basis_integrals(rule, basis, rule.nodes[i]);
    const std::vector<wide_real> beyond = basis.at(wide_real(1) + rule.nodes[i]);
    for (std::size_t j = 0; j < stages; ++j) {
      set_split(pair.position, i, j, integral[j]);
      set_split(pair.momentum, j, i, rule.weights[i] - rule.weights[i] * integral[j] / rule.weights[j]);
      pair.extension(i, j) = rounded<S>(beyond[j]);
    }
  }
  return pair;
}

}  // namespace

template <class S>
lobatto_pair<S> make_lobatto_pair(std::size_t stages) {
  ACTIO_ASSERT(stages >= 2);
  return computed_once<S, lobatto_pair<S>>(stages, [&] { return computed_pair<S>(stages); });
}

#define ACTIO_INSTANTIATE(S) template lobatto_pair<S> make_lobatto_pair<S>(std::size_t stages);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
