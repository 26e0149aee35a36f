#include "actio/backend/compiled_function.hpp"
#include "actio/backend/interpreter/interpreter.hpp"

namespace actio {

template <class S>
std::shared_ptr<const compiled_function<S>> compile(program p) {
  return interpret<S>(std::move(p));
}

#define ACTIO_INSTANTIATE(S) template std::shared_ptr<const compiled_function<S>> compile<S>(program p);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
