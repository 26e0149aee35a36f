#include "actio/backend/evaluate.hpp"

#include <algorithm>

#include "actio/backend/interpreter/interpreter.hpp"

namespace actio {

template <class S>
std::vector<S> evaluate(std::span<const expr> es, std::span<const expr> symbols, std::span<const S> values) {
  const auto function = interpret<S>(lower(es, {}, symbols));
  const auto at_point = function->evaluate_at(1);
  at_point->set_parameters({});
  const std::size_t stride = at_point->stride();
  std::vector<S> in(std::max<std::size_t>(1, symbols.size() * stride), S(0));
  std::vector<S> out(std::max<std::size_t>(1, es.size() * stride), S(0));
  for (std::size_t k = 0; k < symbols.size(); ++k) in[k * stride] = values[k];
  (*at_point)(in.data(), out.data());
  std::vector<S> result;
  result.reserve(es.size());
  for (std::size_t k = 0; k < es.size(); ++k) result.push_back(out[k * stride]);
  return result;
}

#define ACTIO_INSTANTIATE(S) \
  template std::vector<S> evaluate<S>(std::span<const expr>, std::span<const expr>, std::span<const S>);
ACTIO_FOR_EVERY_NUMBER(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
