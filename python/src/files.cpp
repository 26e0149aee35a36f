// Trajectory files: read back, and repeated.
#include <pybind11/stl.h>

#include "actio/api/ensemble_join.hpp"
#include "actio/api/ensemble_simulation.hpp"
#include "actio/api/trajectory_store.hpp"
#include "actio/io/json_report.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "turns.hpp"

namespace actio::python {

namespace {

py::dict columns_of(stored_table&& table) {
  py::dict columns;
  for (std::size_t k = 0; k < table.names.size(); ++k) {
    if (auto* numbers = std::get_if<std::vector<double>>(&table.columns[k])) {
      columns[py::str(table.names[k])] = owned(std::move(*numbers));
    } else {
      columns[py::str(table.names[k])] = py::cast(std::get<std::vector<std::string>>(table.columns[k]));
    }
  }
  return columns;
}

py::dict load(const std::string& path) {
  stored_trajectory stored = without_gil([&] {
    const std::lock_guard file(hdf5_turn());
    return load_trajectory(path);
  });
  py::dict options;
  for (const auto& [name, value] : stored.options.all()) options[py::str(name)] = value.text;
  py::dict made;
  made["kind"] = stored.kind;
  made["json"] = stored.certificate;
  made["model_text"] = stored.model_text;
  made["model_file"] = stored.model_file;
  made["assignments"] = stored.assignments;
  made["options"] = options;
  made["columns"] = columns_of(std::move(stored.table));
  made["crossings"] = columns_of(std::move(stored.crossings));
  made["events"] = columns_of(std::move(stored.events));
  return made;
}

// The first difference, or "", and the number of rows compared.
std::pair<std::string, std::size_t> repeat(const std::string& path) {
  const repetition again = without_gil([&] {
    const std::lock_guard file(hdf5_turn());
    const sole_turn turn;
    const bool is_ensemble = load_trajectory(path).kind == "ensemble";
    return is_ensemble ? repeat_ensemble(path, {}) : repeat_simulation(path);
  });
  return {again.difference, again.rows};
}

// The summary of the whole, for people and for programs.
std::pair<std::string, std::string> join(const std::vector<std::string>& parts, const std::string& output) {
  std::vector<source_text> typed;
  for (const std::string& part : parts) typed.push_back({part, {part, 0, 0}, "part"});
  const joined_ensemble joined = without_gil([&] {
    const std::lock_guard file(hdf5_turn());
    return join_ensemble(typed, {output, {"@output", 0, 0}, "output"});
  });
  return {to_text(joined.report), to_json(joined.report)};
}

}  // namespace

void bind_files(py::module_& m) {
  m.def("load", &load);
  m.def("repeat", &repeat);
  m.def("join", &join);
}

}  // namespace actio::python
