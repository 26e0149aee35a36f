// Stepping by hand, in double precision: an integrator, states that it moves, parameters between steps.
#include "actio/simulate/integrator.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

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

using flow_type = integrator<double>;

// What it was made from, so that it can be made again elsewhere.
struct integrator_recipe {
  native_model m;
  std::vector<std::pair<std::string, std::string>> given;
  std::shared_ptr<py::object> force;  // the last owner may be without the GIL
};

struct native_integrator {
  model m;
  flow_type flow;
  std::shared_ptr<const integrator_recipe> recipe;
};

// A state with a workspace of its own, because steps remember those before them. It belongs to one thread at a time,
// which `state_turn` sees to.
class native_state {
 public:
  native_state(flow_type flow, phase_state<double> start)
      : flow_(std::move(flow)),
        workspace_(flow_.make_workspace()),
        state_(std::move(start)),
        overrides_(flow_.space().system()) {}

  native_state(const native_state& other) : native_state(other.flow_, other.state_) {
    workspace_->set_parameters(other.parameters());
    overrides_ = other.overrides_;
    if (const auto memory = other.workspace_->history(); !memory.empty()) workspace_->restore_history(memory);
  }

  const flow_type& flow() const { return flow_; }
  const phase_state<double>& state() const { return state_; }
  step_workspace<double>& workspace() { return *workspace_; }
  const std::vector<double>& parameters() const { return workspace_->space().parameters().values(); }

  void advance() {
    if (const step_status status = workspace_->advance(state_); !status) fail(status.code);
  }

  // The state jumps; its steps begin without a memory.
  void place(phase_state<double> now) {
    state_ = std::move(now);
    const std::vector<double> bound = parameters();
    point_.reset();
    workspace_ = flow_.make_workspace();
    workspace_->set_parameters(bound);
  }

  // Everything from here on has these parameters; position and momentum stay.
  // Where a value is refused, none is taken.
  void bind_parameters(const std::vector<std::pair<std::string, double>>& given) {
    parameter_overrides overrides = overrides_;
    for (const auto& [name, value] : given) overrides.set(name, value);
    if (overrides.values() != parameters()) workspace_->set_parameters(overrides.values());
    overrides_ = std::move(overrides);
  }

  // Energy and velocity there.
  phase_point<double>& measured() {
    if (!point_) point_.emplace(workspace_->space());
    if (!point_->measure(state_.time, state_.position.value, state_.momentum.value, state_.velocity)) {
      fail(step_code::left_domain);
    }
    return *point_;
  }

  // The thread that uses it, if there is one.
  std::atomic<std::thread::id>& user() const { return user_; }

 private:
  [[noreturn]] void fail(step_code code) const {
    std::string id = to_text(code);
    std::ranges::replace(id, ' ', '-');
    throw numerical_error(id,
                          fmt::format("step {} at t = {:.6g} failed: {}", state_.index + 1, state_.time, to_text(code)),
                          state_.index + 1, state_.time, "try a shorter step; the state is that before the step");
  }

  flow_type flow_;
  std::unique_ptr<step_workspace<double>> workspace_;
  phase_state<double> state_;
  parameter_overrides overrides_;
  std::optional<phase_point<double>> point_;
  mutable std::atomic<std::thread::id> user_;
};

// Uses a state; a thread may do so again in a callback. Throws conflicting-options where another thread is at it.
class state_turn {
 public:
  explicit state_turn(const native_state& s) : user_(s.user()) {
    const std::thread::id me = std::this_thread::get_id();
    std::thread::id nobody{};
    is_outer_ = user_.compare_exchange_strong(nobody, me);
    if (is_outer_ || nobody == me) return;
    throw input_error("conflicting-options", "another thread is stepping this state", {},
                      "give each thread a state of its own, as copy() makes them");
  }
  ~state_turn() {
    if (is_outer_) user_ = std::thread::id{};
  }
  state_turn(const state_turn&) = delete;
  state_turn& operator=(const state_turn&) = delete;

 private:
  std::atomic<std::thread::id>& user_;
  bool is_outer_;
};

void require_undisturbed(const model& m) {
  const auto sets = std::ranges::find_if(m.events, [](const model_event& event) { return !event.set.empty(); });
  if (sets == m.events.end() && m.controls.empty()) return;
  throw input_error("conflicting-options", "steps by hand know nothing of the events and controls of a model",
                    sets != m.events.end() ? sets->place : m.controls.front().place,
                    "use run, or leave them out and set states and parameters between steps");
}

std::shared_ptr<native_integrator> make_integrator(const native_model& m, const py::dict& given,
                                                   const py::object& force) {
  const option_values typed = typed_options(given);
  model forced = m.with_assignments;
  forced.system.applied_force = force_of(force, forced.system, nullptr);
  auto recipe = std::make_shared<integrator_recipe>(integrator_recipe{m, {}, shared_object(force)});
  for (const auto& [name, value] : given) {
    recipe->given.emplace_back(py::cast<std::string>(name), py::cast<std::string>(value));
  }
  return without_gil([&] {
    const setup_turn turn;
    const option_values merged = merged_options(forced, typed);
    if (precision_from(*merged.find("precision")).type != precision::kind::in_double) {
      throw input_error("bad-precision", "steps by hand are taken in double precision", {"@precision", 0, 0},
                        "leave it out, or use run for more digits");
    }
    set_backend_from(merged);
    require_undisturbed(forced);
    return std::make_shared<native_integrator>(
        native_integrator{forced, flow_type(forced.system, integrator_options_from<double>(forced, merged)), recipe});
  });
}

std::shared_ptr<native_integrator> with_step(const native_integrator& i, double step) {
  return without_gil([&] {
    const setup_turn turn;
    return std::make_shared<native_integrator>(native_integrator{i.m, i.flow.with_step(step), i.recipe});
  });
}

using numbers = std::optional<std::vector<double>>;

// The start of the model, or another: position with momentum or velocity; what is left out is that of the model.
std::shared_ptr<native_state> start(const native_integrator& by, numbers position, numbers momentum, numbers velocity,
                                    double t) {
  return without_gil([&] {
    const setup_turn turn;
    const flow_type& flow = by.flow;
    phase_state<double> state;
    if (!position && !momentum && !velocity) {
      state = flow.at_start(by.m);
    } else {
      const bool is_complete = position && (momentum || velocity || by.m.system.is_first_order());
      const phase_state<double> usual = is_complete ? phase_state<double>() : flow.at_start(by.m);
      std::vector<double> q = position ? *position : usual.position.value;
      if (by.m.system.is_first_order()) state = flow.at_position(std::move(q));
      else if (velocity) state = flow.at_velocity(std::move(q), *velocity);
      else state = flow.at_momentum(std::move(q), momentum ? *momentum : usual.momentum.value);
    }
    if (!std::isfinite(t)) throw input_error("bad-number", fmt::format("the time is {}", t), {}, "give a finite time");
    if (t != 0 && by.m.system.is_time_dependent()) {
      throw input_error("bad-number",
                        fmt::format("'{}' depends on the time, and its motions start at 0", by.m.system.name), {},
                        "let them start at 0, or write t + t0 in the place of t in the model");
    }
    state.begin_at(t);
    return std::make_shared<native_state>(flow, std::move(state));
  });
}

// New values of parameters, by name.
void set_parameters(native_state& s, const py::object& given) {
  const auto values = named_values(given, "parameters");
  const state_turn turn(s);
  s.bind_parameters(values);
}

// Asks `control(state)` for new values of parameters; None leaves them.
void ask(const py::object& control, const py::object& state) {
  const py::object answer = control(state);
  if (!answer.is_none()) py::cast<native_state&>(state).bind_parameters(named_values(answer, "control"));
}

// Few steps keep the GIL: giving it back would take longer than they do.
constexpr std::size_t few_steps = 16;

// A state goes on with the integrator that made it.
void require_own(const native_integrator& by, const native_state& s) {
  const flow_type &mine = by.flow, &its = s.flow();
  if (mine.space().code() == its.space().code() && &mine.method() == &its.method() && mine.step() == its.step()) return;
  throw input_error("conflicting-options", "the state belongs to another integrator, with its model, method and step",
                    {}, "use the integrator whose start() made it, or start(position=..., momentum=...) here");
}

void advance(const native_integrator& by, native_state& s, std::size_t steps) {
  require_own(by, s);
  const state_turn turn(s);
  if (steps <= few_steps) {
    for (std::size_t k = 0; k < steps; ++k) s.advance();
    return;
  }
  python_watch watch{py::none()};
  without_gil([&] {
    for (std::size_t k = 0; k < steps && watch.go_on(); ++k) s.advance();
  });
  watch.rethrow_everything();
}

void advance_controlled(const native_integrator& by, const py::object& state, std::size_t steps,
                        const py::object& control) {
  auto& s = py::cast<native_state&>(state);
  require_own(by, s);
  const state_turn turn(s);
  for (std::size_t k = 0; k < steps; ++k) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!control.is_none()) ask(control, state);
    s.advance();
  }
}

// Rows of t, position, momentum and energy at the start and after every `every`-th step.
struct recorded_rows {
  std::vector<double> t, position, momentum, energy;
  void add(native_state& s) {
    const phase_state<double>& now = s.state();
    t.push_back(now.time);
    position.insert(position.end(), now.position.value.begin(), now.position.value.end());
    momentum.insert(momentum.end(), now.momentum.value.begin(), now.momentum.value.end());
    if (s.flow().space().has_energy()) energy.push_back(s.measured().energy());
  }
};

// Rows, and the NumericalError that ended them early, or None.
py::tuple record_steps(const native_integrator& by, const py::object& state, std::size_t steps, std::size_t every,
                       const py::object& control) {
  if (every == 0) throw input_error("bad-count", "every is 0", {"@every", 0, 0}, "give a whole number from 1");
  auto& s = py::cast<native_state&>(state);
  require_own(by, s);
  const state_turn turn(s);
  recorded_rows rows;
  python_watch watch{py::none()};
  std::optional<numerical_error> failure;
  without_gil([&] {
    try {
      rows.add(s);
      for (std::size_t k = 1; k <= steps && watch.go_on(); ++k) {
        if (!control.is_none()) {
          const py::gil_scoped_acquire gil;
          ask(control, state);
        }
        s.advance();
        if (k % every == 0) rows.add(s);
      }
    } catch (const numerical_error& error) {
      failure = error;
    }
  });
  watch.rethrow_everything();
  const std::size_t n = s.flow().space().size(), momenta = s.flow().space().momentum_size();
  const std::size_t count = rows.t.size();
  py::dict made;
  made["t"] = owned(std::move(rows.t));
  made["position"] = owned(std::move(rows.position), count, n);
  made["momentum"] = owned(std::move(rows.momentum), count, momenta);
  made["energy"] = owned(std::move(rows.energy));
  return py::make_tuple(made, failure ? exception_of(*failure) : py::object(py::none()));
}

py::array tangent(const native_integrator& by, native_state& s) {
  require_own(by, s);
  const state_turn turn(s);
  const matrix<double> map = s.workspace().tangent_map(s.state());
  if (map.rows() == 0) {
    throw numerical_error("no-convergence", "the step cannot be solved at this state", s.state().index + 1,
                          s.state().time, "try a shorter step");
  }
  return owned(std::vector<double>(map.data().begin(), map.data().end()), map.rows(), map.columns());
}

// A position and a momentum alone do not say which velocity is meant where several belong to them.
void require_one_branch(const flow_type& flow) {
  if (flow.space().has_one_branch()) return;
  throw input_error("conflicting-options",
                    fmt::format("several velocities belong to one momentum of '{}'", flow.space().system().name), {},
                    "give start(position=..., velocity=...), and step there with advance");
}

// Where steps of the method itself, of a part of the usual length, lead from each of the states (t, q, p): rows of
// (q, p). `fraction` is in (0, 1].
py::array partial_steps(const native_integrator& by, const std::vector<double>& t, const std::vector<double>& states,
                        const std::vector<double>& fraction) {
  const std::size_t n = by.flow.space().size(), momenta = by.flow.space().momentum_size(), width = n + momenta;
  ACTIO_ASSERT(t.size() == fraction.size() && states.size() == width * t.size());
  std::vector<double> reached;
  require_one_branch(by.flow);
  without_gil([&] {
    const setup_turn turn;
    for (std::size_t k = 0; k < t.size(); ++k) {
      const auto first = states.begin() + static_cast<std::ptrdiff_t>(k * width);
      const auto middle = first + static_cast<std::ptrdiff_t>(n);
      phase_state<double> state;
      state.begin_at(t[k]);
      state.position = compensated_vector<double>({first, middle});
      state.momentum = compensated_vector<double>({middle, first + static_cast<std::ptrdiff_t>(width)});
      native_state s(by.flow.with_step(by.flow.step() * fraction[k]), std::move(state));
      s.advance();
      reached.insert(reached.end(), s.state().position.value.begin(), s.state().position.value.end());
      reached.insert(reached.end(), s.state().momentum.value.begin(), s.state().momentum.value.end());
    }
  });
  return owned(std::move(reached), t.size(), width);
}

// At the same time with another position or momentum.
void place(native_state& s, numbers position, numbers momentum) {
  require_one_branch(s.flow());
  const state_turn its(s);
  without_gil([&] {
    const setup_turn turn;
    const phase_state<double>& now = s.state();
    std::vector<double> q = position ? *position : now.position.value;
    std::vector<double> p = momentum ? *momentum : now.momentum.value;
    phase_state<double> moved = s.flow().space().has_energy() ? s.flow().at_momentum(std::move(q), std::move(p))
                                                              : s.flow().at_position(std::move(q));
    moved.take_clock(now);
    s.place(std::move(moved));
  });
}

py::array seen(const native_state& s, std::span<const double> numbers) {
  const state_turn turn(s);
  return copy_of(numbers);
}

py::dict parameters_of(const native_state& s) {
  const state_turn turn(s);
  py::dict values;
  const auto& known = s.flow().space().system().parameters;
  for (std::size_t k = 0; k < known.size(); ++k) values[py::str(known[k].name)] = s.parameters()[k];
  return values;
}

}  // namespace

void bind_integrator(py::module_& m) {
  py::class_<native_state, std::shared_ptr<native_state>>(m, "State")
      .def_property_readonly("t", [](const native_state& s) { return s.state().time; })
      .def_property_readonly("index", [](const native_state& s) { return s.state().index; })
      .def_property(
          "position", [](const native_state& s) { return seen(s, s.state().position.value); },
          [](native_state& s, std::vector<double> q) { place(s, std::move(q), std::nullopt); })
      .def_property(
          "momentum", [](const native_state& s) { return seen(s, s.state().momentum.value); },
          [](native_state& s, std::vector<double> p) { place(s, std::nullopt, std::move(p)); })
      .def_property_readonly("velocity",
                             [](native_state& s) {
                               const state_turn turn(s);
                               return copy_of(s.measured().velocity());
                             })
      .def_property_readonly("energy",
                             [](native_state& s) {
                               const state_turn turn(s);
                               return s.measured().energy();
                             })
      .def_property_readonly("coordinates",
                             [](const native_state& s) { return s.flow().space().system().coordinate_names(); })
      .def("parameter_values", &parameters_of)
      .def("set_parameters", &set_parameters)
      .def("copy", [](const native_state& s) {
        const state_turn its(s);
        return without_gil([&] {
          const setup_turn turn;
          return std::make_shared<native_state>(s);
        });
      });
  py::class_<native_integrator, std::shared_ptr<native_integrator>>(m, "Integrator")
      .def(py::init(&make_integrator), py::arg("model"), py::arg("given"), py::arg("force") = py::none())
      .def_property_readonly("step", [](const native_integrator& i) { return i.flow.step(); })
      .def_property_readonly("recipe",  // the model, options as texts, and the force
                             [](const native_integrator& i) {
                               py::dict given;
                               for (const auto& [name, value] : i.recipe->given) given[py::str(name)] = value;
                               return py::make_tuple(i.recipe->m, given, *i.recipe->force);
                             })
      .def_property_readonly("follows_time_scale",
                             [](const native_integrator& i) { return i.flow.space().system().time_scale.has_value(); })
      .def_property_readonly("method", [](const native_integrator& i) { return i.flow.method().name; })
      .def("start", &start, py::arg("position") = py::none(), py::arg("momentum") = py::none(),
           py::arg("velocity") = py::none(), py::arg("t") = 0.0)
      .def("advance", &advance, py::arg("state"), py::arg("steps") = 1)
      .def("advance", &advance_controlled, py::arg("state"), py::arg("steps") = 1, py::kw_only(), py::arg("control"))
      .def("record_steps", &record_steps, py::arg("state"), py::arg("steps"), py::arg("every") = 1,
           py::arg("control") = py::none())
      .def("with_step", &with_step, py::arg("step"))
      .def("tangent", &tangent, py::arg("state"))
      .def("partial_steps", &partial_steps);
}

}  // namespace actio::python
