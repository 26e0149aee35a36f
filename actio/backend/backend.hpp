// The choice between the backends; `compile` makes it by itself.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>

#include "actio/backend/compiled_function.hpp"

namespace actio {

enum class backend {
  automatic,     // machine code where it is available, otherwise the interpreter; compiled once that pays
  interpreter,   // always there; for checking the other
  machine_code,  // as automatic with the same bits, but compiled at once
};

// The backend of programs for which none is named; automatic unless it was set. Set it before threads start.
backend default_backend();
void set_default_backend(backend choice);

// Whether this build and this processor (x86-64 with AVX2 and FMA) compile programs of doubles to machine code.
bool machine_code_is_available();

// Called before programs of so many operations that it takes seconds become machine code; nullptr: nobody is told.
using compile_note = void (*)(std::size_t operations);
compile_note noted_compilation();
void set_compile_note(compile_note note);

// "auto", "interpreter" or "machine-code".
std::string to_text(backend choice);

// What programs for which no backend is named run on: machine_code or interpreter.
template <class S>
backend backend_in_use() {
  const bool compiled =
      std::same_as<S, double> && default_backend() != backend::interpreter && machine_code_is_available();
  return compiled ? backend::machine_code : backend::interpreter;
}

// Quad and multi are always interpreted. Machine code is made by an evaluation, which then allocates; arrays of inputs
// and outputs must not overlap, and lanes of the outputs beyond the points are overwritten.
template <class S>
std::shared_ptr<const compiled_function<S>> compile(program p, backend choice);

}  // namespace actio
