#include "answers.hpp"

#include <fmt/format.h>

namespace actio::python {

namespace {

std::string shown(const py::handle& value) {
  const std::string text = py::repr(value);
  return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

double number_of(const py::handle& value, const std::string& name) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  throw input_error("wrong-type", fmt::format("the value of '{}' is {}, which is no real number", name, shown(value)),
                    {}, "give a float or what can become one");
}

}  // namespace

std::vector<std::pair<std::string, double>> named_values(const py::object& given, const std::string& whose) {
  if (!py::hasattr(given, "keys") || !py::hasattr(given, "__getitem__")) {
    throw input_error("wrong-type", fmt::format("'{}' gives {} instead of values by name", whose, shown(given)), {},
                      "write {\"NAME\": VALUE}");
  }
  std::vector<std::pair<std::string, double>> values;
  for (const auto& [key, value] : py::dict(given)) {
    const std::string name = py::str(key);
    values.emplace_back(name, number_of(value, name));
  }
  return values;
}

std::shared_ptr<py::object> shared_object(const py::object& held) {
  return {new py::object(held), [](py::object* object) {
            const py::gil_scoped_acquire gil;
            delete object;
          }};
}

}  // namespace actio::python
