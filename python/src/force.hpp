// Forces and controls that are Python functions, as the library asks them.
#pragma once

#include <memory>

#include "actio/mechanics/force_function.hpp"
#include "bindings.hpp"
#include "watch.hpp"

namespace actio::python {

// Calls `function` with the GIL. Ctrl-C inside it ends the run that `watch` looks after, where there is one; what else
// it raises goes on to whoever called.
template <class Function>
void ask_python(python_watch* watch, Function&& function) {
  const py::gil_scoped_acquire gil;
  try {
    function();
  } catch (py::error_already_set& error) {
    if (watch == nullptr || !error.matches(PyExc_KeyboardInterrupt)) throw;
    watch->interrupt();
    throw callback_interruption();
  }
}

// `force(t, q, v)` answers with one number a coordinate, with a dict of those that are not zero, or with None. It gets
// floats and arrays, or mpmath's numbers where the run has more digits. nullptr where it is None. `watch` may be
// nullptr.
std::shared_ptr<const force_function> force_of(const py::object& force, const lagrangian_system& system,
                                               python_watch* watch);

}  // namespace actio::python
