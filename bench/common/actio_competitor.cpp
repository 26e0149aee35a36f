#include "common/actio_competitor.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

#include "actio/simulate/integrator.hpp"

namespace actio::bench {

namespace {

template <class S>
S time_value(const model& m, const std::string& until) {
  return quantity_value<S>(m.system, parse_quantity(m, source_text{until, {}, "until"}));
}

struct prepared {
  integrator<double> method;
  phase_state<double> start;
  std::unique_ptr<step_workspace<double>> workspace;
  std::vector<double> fresh;  // what the workspace remembers before its first step: nothing
  phase_state<double> state;
};

attempt end_of(const phase_state<double>& state) {
  attempt result{state.position.value, state.index};
  result.end.insert(result.end.end(), state.momentum.value.begin(), state.momentum.value.end());
  return result;
}

}  // namespace

competitor actio_method(const model& m, std::string method, std::string until, std::vector<double> step_counts) {
  const auto shared = std::make_shared<const model>(m);
  return {"actio", method, "steps", std::move(step_counts), [=](double count) -> prepared_run {
            const double step = time_value<double>(*shared, until) / count;
            const auto p = std::make_shared<prepared>(
                prepared{integrator<double>(shared->system, {.method = method, .step = step}), {}, nullptr, {}, {}});
            p->start = p->method.at_start(*shared);
            p->workspace = p->method.make_workspace();
            p->fresh = p->workspace->history();
            const auto steps = static_cast<std::size_t>(count);
            return [p, steps]() -> attempt {
              p->workspace->restore_history(p->fresh);
              p->state = p->start;
              for (std::size_t i = 0; i < steps; ++i) {
                if (!p->workspace->advance(p->state)) return {};
              }
              return end_of(p->state);
            };
          }};
}

competitor actio_adaptive(const model& m, std::string until, std::vector<double> accuracies) {
  const auto shared = std::make_shared<const model>(m);
  return {"actio", "extrapolation", "accuracy", std::move(accuracies), [=](double accuracy) -> prepared_run {
            const auto p = std::make_shared<prepared>(prepared{
                integrator<double>(shared->system, {.method = "extrapolation", .accuracy = accuracy}), {}, {}, {}, {}});
            p->start = p->method.at_start(*shared);
            p->workspace = p->method.make_workspace();
            p->fresh = p->workspace->history();
            const double end = time_value<double>(*shared, until);
            p->workspace->end_at(end);
            return [p, end]() -> attempt {
              p->workspace->restore_history(p->fresh);
              p->state = p->start;
              while (p->state.time < end) {
                if (!p->workspace->advance(p->state)) return {};
              }
              return end_of(p->state);
            };
          }};
}

reference_answer many_digit_reference(const model& m, const std::string& until, std::size_t components) {
  constexpr unsigned digits = 40;
  const precision_scope scope(digits);
  const auto end = [&](double accuracy) {
    const integrator<multi> used(m.system, {.method = "extrapolation", .accuracy = accuracy});
    auto state = used.at_start(m);
    const auto workspace = used.make_workspace();
    const multi last = time_value<multi>(m, until);
    workspace->end_at(last);
    while (state.time < last) {
      if (!workspace->advance(state))
        throw std::runtime_error("the reference of " + m.system.name + " was not reached");
    }
    std::vector<quad> at_end;
    for (const auto* part : {&state.position.value, &state.momentum.value}) {
      for (const multi& x : *part) at_end.push_back(static_cast<quad>(x));
    }
    return at_end;
  };
  const std::vector<quad> rough = end(1e-27), fine = end(1e-30);
  double apart = 0;
  for (std::size_t i = 0; i < components; ++i) apart = std::max(apart, std::abs(to_double(quad(rough[i] - fine[i]))));
  return {largest_error(fine, components), apart, "actio extrapolation with 40 digits, accuracies 1e-27 and 1e-30"};
}

quad_end quad_reference(const model& m, const std::string& method, const std::string& until, std::size_t steps,
                        std::size_t more_steps) {
  const auto end = [&](std::size_t count) {
    const quad step = time_value<quad>(m, until) / static_cast<double>(count);
    const integrator<quad> used(m.system, {.method = method, .step = step});
    auto state = used.at_start(m);
    const auto workspace = used.make_workspace();
    for (std::size_t i = 0; i < count; ++i) {
      if (!workspace->advance(state))
        throw std::runtime_error("the reference of " + m.system.name + " was not reached");
    }
    std::vector<quad> at_end = state.position.value;
    at_end.insert(at_end.end(), state.momentum.value.begin(), state.momentum.value.end());
    return at_end;
  };
  const std::vector<quad> rough = end(steps);
  quad_end result{end(more_steps), 0};
  for (std::size_t i = 0; i < rough.size(); ++i) {
    result.uncertainty = std::max(result.uncertainty, std::abs(to_double(quad(rough[i] - result.end[i]))));
  }
  return result;
}

std::function<double(const attempt&)> largest_error(std::vector<quad> exact, std::size_t components) {
  return [=, exact = std::move(exact)](const attempt& a) {
    if (a.end.size() < components) return std::numeric_limits<double>::infinity();
    double error = 0;
    for (std::size_t i = 0; i < components; ++i) {
      error = std::max(error, std::abs(to_double(quad(quad(a.end[i]) - exact[i]))));
    }
    return error;
  };
}

}  // namespace actio::bench
