// Ensembles: results of all trajectories as arrays with one row a trajectory.
#include <pybind11/stl.h>

#include <algorithm>

#include "actio/api/ensemble_simulation.hpp"
#include "actio/io/json_report.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "turns.hpp"
#include "watch.hpp"

namespace actio::python {

namespace {

// Rows one after the other.
struct collected_results {
  std::vector<double> start, position, momentum, energy_error, momentum_errors, lyapunov, crossings, events;
  std::vector<std::int8_t> status;
  std::vector<std::int64_t> steps;
  std::vector<std::pair<std::size_t, std::string>> reasons;
  std::size_t a_crossing = 0;

  // `varied` are the places of parameters among the values that vary.
  void add(const trajectory_result& one, const std::vector<std::size_t>& varied,
           const std::vector<model_event>& known) {
    const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(start, one.start.position);
    append(start, one.start.momentum);
    for (const std::size_t v : varied) start.push_back(one.start.values[v]);
    append(position, one.position);
    append(momentum, one.momentum);
    append(momentum_errors, one.momentum_errors);
    energy_error.push_back(one.energy_error);
    lyapunov.push_back(one.lyapunov);
    status.push_back(static_cast<std::int8_t>(one.status));
    steps.push_back(static_cast<std::int64_t>(one.steps));
    if (!one.reason.empty()) reasons.emplace_back(one.index, one.reason);
    for (std::size_t k = 0; k < one.events.size(); ++k) {
      const auto event = std::ranges::find(known, one.events.name(k), &model_event::name) - known.begin();
      events.insert(events.end(), {static_cast<double>(one.index), static_cast<double>(event), one.events.times()[k]});
      for (const auto part : {one.events.position(k), one.events.momentum(k)}) {
        events.insert(events.end(), part.begin(), part.end());
      }
    }
    a_crossing = 1 + one.position.size() + one.momentum.size();
    for (std::size_t at = 0; at + a_crossing <= one.crossings.size(); at += a_crossing) {
      crossings.push_back(static_cast<double>(one.index));
      crossings.insert(crossings.end(), one.crossings.begin() + static_cast<std::ptrdiff_t>(at),
                       one.crossings.begin() + static_cast<std::ptrdiff_t>(at + a_crossing));
    }
  }
};

struct variation {
  std::vector<std::string> parameters;  // that vary, in their order
  std::vector<std::size_t> places;      // among all that varies
};

// "q" of "q=0:1:10" and of "&q=[1,2]".
std::string name_in(const std::string& assignment) {
  const std::size_t begin = assignment.starts_with('&') ? 1 : 0;
  return assignment.substr(begin, assignment.find('=') - begin);
}

variation varied_parameters(const model& m, const std::vector<std::string>& sweeps,
                            const std::vector<std::string>& samples) {
  variation varied;
  std::size_t place = 0;
  for (const auto* list : {&sweeps, &samples}) {
    for (const std::string& text : *list) {
      const std::string name = name_in(text);
      if (std::ranges::find(m.system.parameters, name, &named_expr::name) != m.system.parameters.end()) {
        varied.parameters.push_back(name);
        varied.places.push_back(place);
      }
      ++place;
    }
  }
  return varied;
}

py::dict arrays_of(collected_results&& all, const ensemble_simulation_result& result, const model& m,
                   const std::vector<std::string>& parameters) {
  const std::size_t rows = all.status.size(), n = m.system.size(), momenta = m.system.is_first_order() ? 0 : n;
  const std::size_t errors = rows == 0 ? 0 : all.momentum_errors.size() / rows;
  py::dict made;
  made["start"] = owned(std::move(all.start), rows, n + momenta + parameters.size());
  made["position"] = owned(std::move(all.position), rows, n);
  made["momentum"] = owned(std::move(all.momentum), rows, momenta);
  made["energy_error"] = owned(std::move(all.energy_error));
  made["momentum_errors"] = owned(std::move(all.momentum_errors), rows, errors);
  made["lyapunov"] = owned(std::move(all.lyapunov));
  made["status"] = owned(std::move(all.status));
  made["steps"] = owned(std::move(all.steps));
  const std::size_t a_crossing = 2 + n + momenta, crossings = all.crossings.size() / a_crossing;
  made["crossings"] = owned(std::move(all.crossings), crossings, a_crossing);
  const std::size_t an_event = 3 + n + momenta, events = all.events.size() / an_event;
  made["events"] = owned(std::move(all.events), events, an_event);
  made["reasons"] = all.reasons;
  made["parameters"] = parameters;
  made["text"] = to_text(result.report);
  made["json"] = result.statistics ? to_json(result.report, *result.statistics) : to_json(result.report);
  made["files"] = result.files;
  made["write_error"] = result.write_error.empty() ? result.page_error : result.write_error;
  return made;
}

py::dict ensemble(const native_model& m, const py::dict& given, const std::vector<std::string>& sweeps,
                  const std::vector<std::string>& samples, py::object show, const std::string& command) {
  const model& base = m.with_assignments;
  const variation varied = varied_parameters(base, sweeps, samples);
  collected_results all;
  python_watch watch(std::move(show));
  ensemble_simulation_options options{.given = typed_options(given),
                                      .sweeps = typed_list("sweep", sweeps),
                                      .samples = typed_list("sample", samples),
                                      .assignments = m.assignments,
                                      .model_path = m.path,
                                      .command = command};
  options.progress = [&](std::size_t done, std::size_t of) {
    watch.note(static_cast<double>(done), static_cast<double>(of));
  };
  options.interrupted = [&] { return !watch.go_on(); };
  options.collect = [&](const trajectory_result& one) { all.add(one, varied.places, base.events); };
  ensemble_simulation_result result;
  without_gil([&] {
    const auto output = options.given.find("output");
    const auto file = file_turn(output ? output->text : "");
    // Where steps are chosen, a sample is computed by several threads before everything is set up.
    if (options.given.has("accuracy") || base.run.has("accuracy")) {
      const sole_turn turn;
      result = simulate_ensemble(base, options);
      return;
    }
    setup_turn turn;
    options.begins = [&] { turn.end_setup(); };
    result = simulate_ensemble(base, options);
  });
  watch.rethrow();
  return arrays_of(std::move(all), result, base, varied.parameters);
}

}  // namespace

void bind_ensemble(py::module_& m) {
  m.def("ensemble", &ensemble, py::arg("model"), py::arg("given"), py::arg("sweeps"), py::arg("samples"),
        py::arg("show"), py::arg("command") = "");
  // In the order of trajectory_status.
  m.attr("trajectory_statuses") = py::make_tuple("done", "no-convergence", "singular", "left-domain", "bad-start",
                                                 "step-too-long", "mass-singular", "inaccurate");
  static_assert(trajectory_statuses == 8);
}

}  // namespace actio::python
