// The backend that is always there: programs run instruction by instruction, in any scalar.
#pragma once

#include <memory>

#include "actio/backend/compiled_function.hpp"

namespace actio {

template <class S>
std::shared_ptr<const compiled_function<S>> interpret(program p);

}  // namespace actio
