// The choice between the backends; `compile` makes it by itself.
#pragma once

#include <memory>

#include "actio/backend/compiled_function.hpp"

namespace actio {

enum class backend {
  automatic,     // machine code where it is available, otherwise the interpreter
  interpreter,   // for programs that run a few times only, and for checking the other
  machine_code,  // as automatic: a build or a processor without it interprets
};

// The backend of programs for which none is named; automatic unless it was set. Set it before threads start.
backend default_backend();
void set_default_backend(backend choice);

// Whether this build and this processor (x86-64 with AVX2 and FMA) compile programs of doubles to machine code.
bool machine_code_is_available();

// Quad and multi are always interpreted.
template <class S>
std::shared_ptr<const compiled_function<S>> compile(program p, backend choice);

}  // namespace actio
