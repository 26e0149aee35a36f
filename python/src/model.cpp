// Models: read, changed by assignments, described.
#include "actio/mechanics/model.hpp"

#include <pybind11/stl.h>

#include "actio/expr/print.hpp"
#include "bindings.hpp"
#include "problems/problem.hpp"
#include "turns.hpp"

namespace actio::python {

namespace {

native_model of_text(const std::string& text, const std::string& file, const std::string& path) {
  return without_gil([&] {
    const setup_turn turn;
    return native_model{.with_assignments = parse_model(text, file), .path = path};
  });
}

// A file or the name of a built-in problem.
native_model of_name(const std::string& name, bool is_problem) {
  return without_gil([&] {
    const setup_turn turn;
    native_model m;
    if (find_problem(name) != nullptr) m.problem = name;
    else m.path = name;
    if (is_problem && m.problem.empty()) {
      std::vector<std::string> known;
      for (const problem& p : problem_catalogue()) known.emplace_back(p.name);
      throw input_error("unknown-problem", "there is no problem '" + name + "'", {}, suggest(name, known));
    }
    m.with_assignments = load_model(name);
    return m;
  });
}

native_model with(const native_model& before, const std::vector<std::string>& assignments) {
  return without_gil([&] {
    const setup_turn turn;
    native_model m = before;
    for (const source_text& a : typed_list("set", assignments)) {
      set_parameter(m.with_assignments, a);
      m.assignments.push_back(a);
    }
    return m;
  });
}

std::vector<std::pair<std::string, double>> parameters_of(const native_model& m) {
  const lagrangian_system& system = m.with_assignments.system;
  const std::vector<double> values = parameter_values<double>(system);
  std::vector<std::pair<std::string, double>> result;
  for (std::size_t k = 0; k < values.size(); ++k) result.emplace_back(system.parameters[k].name, values[k]);
  return result;
}

std::vector<std::string> assignments_of(const native_model& m) {
  std::vector<std::string> texts;
  for (const source_text& a : m.assignments) texts.push_back(a.text);
  return texts;
}

}  // namespace

void bind_model(py::module_& m) {
  py::class_<native_model, std::shared_ptr<native_model>>(m, "Model")
      .def_static("of_text", &of_text, py::arg("text"), py::arg("file"), py::arg("path") = "")
      .def_static("of_name", &of_name)
      .def("set", &with)
      .def_property_readonly("name", [](const native_model& x) { return x.with_assignments.system.name; })
      .def_property_readonly("coordinates",
                             [](const native_model& x) { return x.with_assignments.system.coordinate_names(); })
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly("events",
                             [](const native_model& x) {
                               std::vector<std::string> names;
                               for (const model_event& e : x.with_assignments.events) names.push_back(e.name);
                               return names;
                             })
      .def_property_readonly("is_first_order",
                             [](const native_model& x) { return x.with_assignments.system.is_first_order(); })
      .def_property_readonly("text", [](const native_model& x) { return x.with_assignments.text; })
      .def_property_readonly("file", [](const native_model& x) { return x.with_assignments.file; })
      .def_property_readonly("assignments", &assignments_of)
      .def_readonly("path", &native_model::path)
      .def_readonly("problem", &native_model::problem)
      .def_property_readonly("run_options", [](const native_model& x) {
        py::dict options;
        for (const auto& [name, value] : x.with_assignments.run.all()) options[py::str(name)] = value.text;
        return options;
      });
}

}  // namespace actio::python
