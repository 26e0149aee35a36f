// Errors of the library as the exceptions of actio/_errors.py.
#include <pybind11/stl.h>

#include "actio/base/error.hpp"
#include "bindings.hpp"

namespace actio::python {

namespace {

void raise(const char* type, const py::args& arguments, const py::dict& named) {
  const py::object made = py::module_::import("actio._errors").attr(type)(*arguments, **named);
  PyErr_SetObject(py::type::of(made).ptr(), made.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const input_error& error) {
    const source_place& place = error.place();
    raise(
        "InputError",
        py::make_tuple(error.message(), error.id(), py::make_tuple(place.file, place.line, place.column), error.cure()),
        py::dict());
  } catch (const numerical_error& error) {
    raise("NumericalError",
          py::make_tuple(std::string(error.what()), error.id, py::make_tuple("step", error.index, 0), error.cure),
          py::dict(py::arg("step") = error.index, py::arg("t") = error.t));
  }
}

}  // namespace

void bind_errors(py::module_& m) {
  py::register_exception_translator(&translate);
  m.def("suggest", [](const std::string& name, const std::vector<std::string>& known) { return suggest(name, known); });
  m.def("error_ids", [] {
    py::dict ids;
    for (const error_entry& entry : error_catalogue()) ids[py::str(entry.id.data())] = std::string(entry.meaning);
    return ids;
  });
}

}  // namespace actio::python
