// Runs: options in, columns of the trajectory and the certificate out.
#include <pybind11/stl.h>

#include <algorithm>

#include "actio/api/simulation.hpp"
#include "actio/api/trajectory_store.hpp"
#include "actio/base/interruption.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/mechanics/parameter_overrides.hpp"
#include "actio/simulate/run_settings.hpp"
#include "answers.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "force.hpp"
#include "turns.hpp"
#include "watch.hpp"

namespace actio::python {

namespace {

struct native_run {
  simulation_result result;
  std::vector<std::string> notes;
};

const char* word_of(run_status status) {
  switch (status) {
    case run_status::done: return "done";
    case run_status::interrupted: return "interrupted";
    case run_status::failed: break;
  }
  return "failed";
}

// Steps with many digits are taken alone, others beside those of other threads.
simulation_result in_turn(const model& m, simulation_options& options, std::optional<std::size_t> last,
                          python_watch& watch) {
  const option_values merged = merged_options(m, options.given);
  const auto output = merged.find("output");
  const auto file = file_turn(output ? output->text : "");
  const bool has_digits = precision_from(*merged.find("precision")).type == precision::kind::in_digits;
  std::optional<sole_turn> alone;
  std::optional<setup_turn> beside;
  if (has_digits) alone.emplace();
  else beside.emplace();
  options.proceed = [&](std::size_t step, std::size_t steps, double time) {
    if (beside) beside->end_setup();
    watch.note(static_cast<double>(step), static_cast<double>(steps), time);
    return watch.go_on() && (!last || step < *last);
  };
  const interruption_scope scope([&] { return !watch.go_on(); });  // while method and step are chosen
  return simulate(m, options);
}

// `control(moment)`, which has t, position, momentum and parameters as a State has them, as the library asks it. It
// answers with a dict, or None: parameters stay as they are.
parameter_control controlled_by(const py::object& control, const lagrangian_system& system, python_watch& watch) {
  if (control.is_none()) return {};
  return [&control, &watch, overrides = parameter_overrides(system), &parameters = system.parameters](
             double t, std::span<const double> position, std::span<const double> momentum,
             std::span<double> values) mutable {
    ask_python(&watch, [&] {
      py::dict named;
      for (std::size_t k = 0; k < values.size(); ++k) named[py::str(parameters[k].name)] = values[k];
      const py::object moment = py::module_::import("types").attr("SimpleNamespace")(
          py::arg("t") = t, py::arg("position") = copy_of(position), py::arg("momentum") = copy_of(momentum),
          py::arg("parameters") = named);
      const py::object answer = control(moment);
      if (answer.is_none()) return;
      for (const auto& [name, value] : named_values(answer, "control")) overrides.set(name, value);
      std::ranges::copy(overrides.values(), values.begin());
    });
  };
}

// `keeps` its trajectory; `last` is the step at which a run that was interrupted is to end again, or None.
std::shared_ptr<native_run> run(const native_model& m, const py::dict& given, bool resumes, const std::string& command,
                                py::object show, bool keeps, std::optional<std::size_t> last, const py::object& control,
                                const py::object& force) {
  auto done = std::make_shared<native_run>();
  simulation_options options{.given = typed_options(given),
                             .assignments = m.assignments,
                             .model_path = m.path,
                             .command = command,
                             .resumes = resumes,
                             .keeps_trajectory = keeps};
  options.note = [&](const std::string& text) { done->notes.push_back(text); };
  python_watch watch(std::move(show));
  options.control = controlled_by(control, m.with_assignments.system, watch);
  options.force = force_of(force, m.with_assignments.system, &watch);
  try {
    without_gil([&] { done->result = in_turn(m.with_assignments, options, last, watch); });
  } catch (const callback_interruption&) {  // before the first step
    watch.rethrow_everything();
  } catch (const work_interrupted&) {
    watch.rethrow_everything();
  }
  watch.rethrow();
  return done;
}

py::object column(const py::object& self, const std::string& name) {
  const auto& run = py::cast<const native_run&>(self);
  return std::visit(
      [&]<class S>(const simulated<S>& numbers) -> py::object {
        const std::vector<S>* found = numbers.trajectory.find(name);
        if (found == nullptr) return py::none();
        if constexpr (std::same_as<S, double>) {
          return view_of(found->data(), {static_cast<py::ssize_t>(found->size())}, self);
        } else {
          return exact_parts(*found);
        }
      },
      run.result.numbers);
}

// What relative energy errors are relative to; None where energy is supplied, or where there is none.
py::object energy_reference(const native_run& run) {
  return std::visit(
      [&]<class S>(const simulated<S>& numbers) -> py::object {
        if (!numbers.report.has_energy || numbers.report.energy.supplied) return py::none();
        if constexpr (std::same_as<S, double>) return py::float_(numbers.report.energy.reference);
        else return exact_parts(std::vector<S>{numbers.report.energy.reference});
      },
      run.result.numbers);
}

// Numbers in rows of `width`, as an array or as exact parts.
template <class S>
py::object rows_of(const std::vector<S>& numbers, std::size_t rows, std::size_t width) {
  if constexpr (std::same_as<S, double>) return owned(std::vector<double>(numbers), rows, width);
  else return exact_parts(numbers);
}

// Events as columns: names, of each event its place among them, times and states.
py::dict events_of(const native_run& run) {
  return std::visit(
      [&]<class S>(const simulated<S>& numbers) {
        const event_list<S>& all = numbers.report.events;
        const std::size_t count = all.size(), width = count == 0 ? 0 : all.positions().size() / count;
        const std::size_t momenta = count == 0 ? 0 : all.momenta().size() / count;
        py::dict made;
        made["names"] = all.names();
        made["kinds"] = owned(std::vector<std::int64_t>(all.kinds().begin(), all.kinds().end()));
        made["t"] = rows_of(all.times(), count, 1);
        made["position"] = rows_of(all.positions(), count, width);
        made["momentum"] = rows_of(all.momenta(), count, momenta);
        made["count"] = numbers.report.event_count;
        return made;
      },
      run.result.numbers);
}

// Samples of controls: names, times, and values, one row a time.
py::dict controls_of(const native_run& run) {
  return std::visit(
      [&]<class S>(const simulated<S>& numbers) {
        const control_samples<S>& all = numbers.report.controls;
        py::dict made;
        made["names"] = all.names;
        made["t"] = rows_of(all.times, all.times.size(), 1);
        made["values"] = rows_of(all.values, all.times.size(), all.names.size());
        return made;
      },
      run.result.numbers);
}

void save(const native_run& run, const native_model& m, const std::string& path) {
  without_gil([&] {
    const auto file = file_turn(path);
    const bool has_digits = std::holds_alternative<simulated<multi>>(run.result.numbers);
    const sole_turn turn;
    std::optional<precision_scope> digits;
    if (has_digits) digits.emplace(precision_from(*run.result.options.find("precision")).digits);
    save_trajectory(m.with_assignments, m.assignments, run.result, typed_option("output", path));
  });
}

py::dict options_of(const native_run& run) {
  py::dict options;
  for (const auto& [name, value] : run.result.options.all()) options[py::str(name)] = value.text;
  return options;
}

}  // namespace

void bind_run(py::module_& m) {
  py::class_<native_run, std::shared_ptr<native_run>>(m, "Run")
      .def("column", &column)
      .def("save", &save)
      .def_property_readonly("names",
                             [](const native_run& r) {
                               return std::visit([](const auto& numbers) { return numbers.trajectory.names; },
                                                 r.result.numbers);
                             })
      .def_property_readonly(
          "is_double", [](const native_run& r) { return std::holds_alternative<simulated<double>>(r.result.numbers); })
      .def_property_readonly("energy_reference", &energy_reference)
      .def_property_readonly("events", &events_of)
      .def_property_readonly("controls", &controls_of)
      .def_property_readonly("status", [](const native_run& r) { return word_of(r.result.status); })
      .def_property_readonly("trusted", [](const native_run& r) { return r.result.is_trusted; })
      .def_property_readonly("steps", [](const native_run& r) { return r.result.steps; })
      .def_property_readonly("reason", [](const native_run& r) { return r.result.reason; })
      .def_property_readonly("suggestion", [](const native_run& r) { return r.result.suggestion; })
      .def_property_readonly("text", [](const native_run& r) { return r.result.text; })
      .def_property_readonly("json", [](const native_run& r) { return r.result.json; })
      .def_property_readonly("page_error", [](const native_run& r) { return r.result.page_error; })
      .def_property_readonly("can_resume", [](const native_run& r) { return r.result.can_resume; })
      .def_property_readonly("options", &options_of)
      .def_readonly("notes", &native_run::notes);
  m.def("run", &run, py::arg("model"), py::arg("given"), py::arg("resumes"), py::arg("command"), py::arg("show"),
        py::arg("keeps") = true, py::arg("last") = std::nullopt, py::arg("control") = py::none(),
        py::arg("force") = py::none());
}

}  // namespace actio::python
