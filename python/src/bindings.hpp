// The parts of the module actio._actio, one file each. Python files beside it give them the form that people see.
#pragma once

#include <pybind11/pybind11.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "actio/base/option.hpp"
#include "actio/mechanics/model.hpp"

namespace actio::python {

namespace py = pybind11;

// A model with the assignments that it has gone through. Immutable.
struct native_model {
  model with_assignments;
  std::vector<source_text> assignments = {};
  std::string path = {};     // the file that it comes from, or ""
  std::string problem = {};  // the built-in problem that it is, or ""
};

// Options by their names, as texts: {"step": "0.1"}.
option_values typed_options(const py::dict& given);
// Texts of an option that may be repeated.
std::vector<source_text> typed_list(const std::string& name, const std::vector<std::string>& texts);

// Numbers did not work out where there is no result to say so.
struct numerical_error : std::runtime_error {
  numerical_error(std::string which, const std::string& message, std::size_t step, double time, std::string advice)
      : std::runtime_error(message), id(std::move(which)), cure(std::move(advice)), index(step), t(time) {}
  std::string id, cure;
  std::size_t index;
  double t;
};

// The Python exception for it.
py::object exception_of(const numerical_error& error);

void bind_errors(py::module_& m);
void bind_options(py::module_& m);
void bind_model(py::module_& m);
void bind_run(py::module_& m);
void bind_ensemble(py::module_& m);
void bind_integrator(py::module_& m);
void bind_files(py::module_& m);
void bind_catalogue(py::module_& m);

}  // namespace actio::python
