// Numbers from expressions, once: for parameters, initial data and checks, where speed does not matter.
#pragma once

#include <span>
#include <vector>

#include "actio/base/scalar.hpp"
#include "actio/expr/expr.hpp"

namespace actio {

// The values of `es` where symbols[k] = values[k]. Every symbol in `es` must be among `symbols`.
template <class S>
std::vector<S> evaluate(std::span<const expr> es, std::span<const expr> symbols, std::span<const S> values);

}  // namespace actio
