// What the library knows and finds out about models, methods, problems and papers: (text, JSON) each.
#include <pybind11/stl.h>

#include "actio/api/exact_states.hpp"
#include "actio/api/method_comparison.hpp"
#include "actio/api/method_list.hpp"
#include "actio/api/method_verification.hpp"
#include "actio/api/model_check.hpp"
#include "actio/base/interruption.hpp"
#include "bindings.hpp"
#include "papers/paper_reproduction.hpp"
#include "problems/problem_list.hpp"
#include "turns.hpp"
#include "watch.hpp"

namespace actio::python {

namespace {

using told = std::pair<std::string, std::string>;

// `work` without the GIL, alone; Ctrl-C ends it at its next interruption point.
template <class Work>
auto interruptible(python_watch& watch, Work&& work) {
  try {
    return without_gil([&] {
      const sole_turn turn;
      const interruption_scope scope([&] { return !watch.go_on(); });
      return work();
    });
  } catch (const work_interrupted&) {
    watch.rethrow_everything();
    throw;
  }
}

exact_solution solution_of(const native_model& m) {
  return exact_solution_of(m.problem);
}

told check(const native_model& m, const py::dict& given) {
  const option_values options = typed_options(given);
  python_watch watch{py::none()};
  return interruptible(watch, [&] {
    const model_check_result result = check_model(m.with_assignments, {.given = options});
    return told(result.text, result.json);
  });
}

told exact(const native_model& m, const py::dict& given) {
  const option_values options = typed_options(given);
  python_watch watch{py::none()};
  return interruptible(watch, [&] {
    const exact_states_result result = exact_states(m.with_assignments, {.given = options, .exact = solution_of(m)});
    return told(result.text, result.json);
  });
}

// The third is what went wrong with the report, or "".
py::tuple compare(const native_model& m, const py::dict& given, const std::string& command, py::object show) {
  python_watch watch(std::move(show));
  method_comparison_options options{
      .given = typed_options(given), .exact = solution_of(m), .model_path = m.path, .command = command};
  options.progress = [&](const std::string&, std::size_t done, std::size_t all) {
    watch.note(static_cast<double>(done), static_cast<double>(all));
  };
  options.interrupted = [&] { return !watch.go_on(); };
  const method_comparison_result result = without_gil([&] {
    const sole_turn turn;
    return compare_methods(m.with_assignments, options);
  });
  watch.rethrow_everything();
  return py::make_tuple(result.text, result.json, result.page_error);
}

told verify(const std::vector<std::string>& methods, const py::dict& given, py::object show) {
  python_watch watch(std::move(show));
  method_verification_options options{.methods = {}, .given = typed_options(given)};
  for (const std::string& name : methods) options.methods.push_back({name, {"verify()", 0, 0}, "method"});
  options.progress = [&](std::size_t done, std::size_t all) {
    watch.note(static_cast<double>(done), static_cast<double>(all));
  };
  options.interrupted = [&] { return !watch.go_on(); };
  const method_verification_result result = without_gil([&] {
    const sole_turn turn;
    return verify_methods(options);
  });
  watch.rethrow_everything();
  return {result.text, result.json};
}

// The third is what went wrong with pages and figures, or "".
py::tuple reproduce(const std::vector<std::string>& papers, const py::dict& given, py::object show) {
  python_watch watch(std::move(show));
  paper_reproduction_options options{.papers = {}, .given = typed_options(given)};
  for (const std::string& key : papers) options.papers.push_back({key, {"reproduce()", 0, 0}, "paper"});
  options.progress = [&](const std::string&, double part) { watch.note(100 * part, 100); };
  options.interrupted = [&] { return !watch.go_on(); };
  const paper_reproduction_result result = without_gil([&] {
    const sole_turn turn;
    return reproduce_papers(options);
  });
  watch.rethrow_everything();
  return py::make_tuple(result.text, result.json, result.write_error);
}

told pair_of(const listing& list) { return {list.text, list.json}; }

}  // namespace

void bind_catalogue(py::module_& m) {
  m.def("check", &check);
  m.def("exact", &exact);
  m.def("compare", &compare);
  m.def("verify", &verify);
  m.def("reproduce", &reproduce);
  m.def("methods", [] { return pair_of(list_methods()); });
  m.def("problems", [] { return pair_of(list_problems()); });
}

}  // namespace actio::python
