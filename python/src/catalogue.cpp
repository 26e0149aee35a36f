// What the library knows and finds out about models, methods, problems and papers, as JSON.
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "actio/io/json_report.hpp"
#include "bindings.hpp"
#include "problems/problem.hpp"
#include "turns.hpp"

namespace actio::python {

namespace {

std::string problems_json() {
  nlohmann::ordered_json problems = nlohmann::ordered_json::array();
  for (const problem& p : problem_catalogue()) {
    problems.push_back(
        {{"name", p.name}, {"summary", p.summary}, {"source", p.source}, {"exact", static_cast<bool>(p.exact)}});
  }
  return nlohmann::ordered_json{{"problems", problems}}.dump();
}

}  // namespace

void bind_catalogue(py::module_& m) {
  m.def("methods_json", [] { return to_json(method_catalogue()); });
  m.def("problems_json", &problems_json);
}

}  // namespace actio::python
