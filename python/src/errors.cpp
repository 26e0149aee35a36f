// Errors of the library as the exceptions of actio/_errors.py.
#include <pybind11/stl.h>

#include "actio/base/error.hpp"
#include "bindings.hpp"

namespace actio::python {

namespace {

py::object exception_class(const char* name) { return py::module_::import("actio._errors").attr(name); }

py::object exception_of(const input_error& error) {
  const source_place& place = error.place();
  return exception_class("InputError")(error.message(), error.id(),
                                       py::make_tuple(place.file, place.line, place.column), error.cure());
}

void raise(const py::object& exception) { PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr()); }

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const input_error& error) {
    raise(exception_of(error));
  } catch (const numerical_error& error) {
    raise(python::exception_of(error));
  }
}

}  // namespace

py::object exception_of(const numerical_error& error) {
  return exception_class("NumericalError")(std::string(error.what()), error.id, py::make_tuple("", 0, 0), error.cure,
                                           py::arg("step") = error.index, py::arg("t") = error.t);
}

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
