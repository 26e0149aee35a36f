// Methods as users write them: a class derived from step_workspace in double alone, and a new Galerkin scheme.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

#include "actio/analysis/comparison.hpp"
#include "actio/analysis/verification.hpp"
#include "actio/integrate/cubic_output.hpp"
#include "actio/integrate/galerkin_methods.hpp"
#include "actio/integrate/stability.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

// Three midpoint steps of lengths z h, (1 − 2z) h, z h with z = 1/(2 − 2^(1/3)): order four. [yoshida1990]
class midpoint_composition final : public step_workspace<double> {
 public:
  explicit midpoint_composition(const step_context<double>& context)
      : step_workspace<double>(context), step_(context.step), output_(context.space) {
    const double z = 1 / (2 - std::cbrt(2.0));
    lengths_ = {z * step_, step_ - 2 * z * step_, z * step_};
    for (std::size_t k = 0; k < 3; ++k) {
      parts_[k] = find_method("midpoint")->make<double>({.space = context.space, .step = lengths_[k]});
    }
  }

  void parameters_changed() override {
    for (auto& part : parts_) part->parameters_changed();
  }

  step_status advance(phase_state<double>& state) override {
    phase_state<double> next = state;
    step_status whole;
    work_ = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      begin_part(next, state, k);
      const step_status status = parts_[k]->advance(next);
      whole.iterations += status.iterations;
      whole.update = status.update;
      whole.code = status.code;
      if (!status) return whole;
      work_ += parts_[k]->work();
    }
    output_.start(state);
    next.take_clock(state);
    next.step_on(step_);
    state = next;
    output_.finish(state);
    return whole;
  }

  double work() const override { return work_; }
  void interpolate(const double& fraction, std::span<double> position) override { output_.at(fraction, position); }

  matrix<double> tangent_map(const phase_state<double>& state) override {
    phase_state<double> next = state;
    matrix<double> product = matrix<double>::identity(2 * state.position.size());
    for (std::size_t k = 0; k < 3; ++k) {
      begin_part(next, state, k);
      const matrix<double> part = parts_[k]->tangent_map(next);
      if (part.rows() == 0 || !parts_[k]->advance(next)) return {};
      product = part * product;
    }
    return product;
  }

  std::vector<double> history() const override {
    std::vector<double> all;
    for (const auto& part : parts_) {
      const std::vector<double> own = part->history();
      all.push_back(static_cast<double>(own.size()));
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }
  void restore_history(std::span<const double> all) override {
    for (const auto& part : parts_) {
      const auto size = static_cast<std::size_t>(all[0]);
      part->restore_history(all.subspan(1, size));
      all = all.subspan(1 + size);
    }
  }

 private:
  // A part has a time of its own.
  void begin_part(phase_state<double>& next, const phase_state<double>& state, std::size_t k) const {
    next.index = 0;
    next.begin_at(state.time + (k > 0 ? lengths_[0] : 0) + (k > 1 ? lengths_[1] : 0));
  }

  double step_;
  std::array<double, 3> lengths_{};
  std::array<std::unique_ptr<step_workspace<double>>, 3> parts_;
  cubic_output<double> output_;
  double work_ = 0;
};

// In the words of docs/own-methods.md.
void move(phase_state<double>& state, phase_point<double>& point, jet_evaluation<double>& jet, std::vector<double>& v,
          double h) {
  const std::size_t n = v.size();
  point.velocity_at(state.time, state.position.value, state.momentum.value, v);
  for (std::size_t i = 0; i < n; ++i) {
    jet.position(i)[0] = state.position[i];
    jet.velocity(i)[0] = v[i];
  }
  jet.time()[0] = state.time;
  jet.evaluate_first();
  for (std::size_t i = 0; i < n; ++i) state.momentum.add(i, h * jet.force(i)[0]);
  point.velocity_at(state.time, state.position.value, state.momentum.value, v);
  for (std::size_t i = 0; i < n; ++i) state.position.add(i, h * v[i]);
  state.step_on(h);
}

class symplectic_euler final : public step_workspace<double> {
 public:
  explicit symplectic_euler(const step_context<double>& context)
      : step_workspace<double>(context),
        h_(context.step),
        point_(context.space),
        jet_(context.space.jet().at(1, context.space.parameters())),
        v_(context.space.size()) {}

  step_status advance(phase_state<double>& state) override {
    left_ = state.position.value;
    move(state, point_, jet_, v_, h_);
    return {};
  }
  double work() const override { return 0; }
  void interpolate(const double& fraction, std::span<double> position) override {
    for (std::size_t i = 0; i < v_.size(); ++i) position[i] = left_[i] + fraction * h_ * v_[i];
  }
  matrix<double> tangent_map(const phase_state<double>&) override { return {}; }

 private:
  double h_;
  phase_point<double> point_;
  jet_evaluation<double> jet_;
  std::vector<double> left_, v_;
};

method composition(std::string name) {
  return needing_lagrangian(
      {.name = std::move(name),
       .traits = {.order = 4, .symplectic = true, .symmetric = true, .conserves_momenta = true},
       .summary = "three midpoint steps",
       .formula = "M_{z h} M_{(1-2z) h} M_{z h}, z = 1/(2 - 2^(1/3))",
       .reference = "yoshida1990",
       .in_double = [](const step_context<double>& c) { return std::make_unique<midpoint_composition>(c); }});
}

const method& registered_composition() {
  static const method& m = register_method(composition("midpoint-composition"));
  return m;
}

const method& registered_scheme() {
  static const method& m = [] {
    return std::cref(register_method(galerkin_method("parabola-gauss", {2, node_family::gauss, 3})));
  }();
  return m;
}

void expect_contract(const std::string& name) {
  const auto rows = verify(name, {.threads = 1});
  EXPECT_GE(rows.size(), 10U);
  for (const verification_row& row : rows) {
    EXPECT_TRUE(row.passed) << row.property << " on " << row.system << " (" << row.precision << "): declared "
                            << row.declared << ", measured " << row.measured << ", must be " << row.criterion;
  }
}

TEST(registered_method, keeps_the_contract_in_double_alone) { expect_contract(registered_composition().name); }

TEST(registered_method, does_what_the_documentation_says) {
  register_method(needing_lagrangian(
      {.name = "documented-euler",
       .traits = {.order = 1, .symplectic = true, .conserves_momenta = true},
       .summary = "kick, then drift",
       .formula = "p1 = p0 + h L_q(q0, v0), q1 = q0 + h v(q0, p1)",
       .reference = "hairer2006",
       .in_double = [](const step_context<double>& c) { return std::make_unique<symplectic_euler>(c); }}));
  const model pendulum = load_model("pendulum");
  double errors[2];
  for (const std::size_t k : {0, 1}) {
    const integrator<double> flow(pendulum.system, {.method = "documented-euler", .step = k == 0 ? 0.02 : 0.01});
    phase_state<double> state = flow.at_start(pendulum);
    errors[k] = run(flow, state, k == 0 ? 500 : 1000).energy.max_relative_error;
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.2);
}

TEST(registered_method, keeps_the_contract_as_a_new_scheme) {
  EXPECT_EQ(registered_scheme().traits.order, 4);
  expect_contract(registered_scheme().name);
}

TEST(registered_method, is_known_like_any_other) {
  const method& m = registered_composition();
  EXPECT_EQ(find_method("midpoint-composition"), &m);
  bool is_listed = false;
  for (const method& listed : method_catalogue()) is_listed = is_listed || &listed == &m;
  EXPECT_TRUE(is_listed);
  EXPECT_FALSE(stability_limit(m));  // as midpoint, whatever the length of its steps
  EXPECT_FALSE(suits(m, load_model("spherical-pendulum-rod").system));
}

TEST(registered_method, runs_and_compares) {
  const model m = load_model("pendulum");
  const integrator<double> flow(m.system, {.method = registered_composition().name, .step = 0.02});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 400);
  EXPECT_EQ(report.status, run_status::done);
  EXPECT_EQ(report.method, "midpoint-composition");
  EXPECT_LT(report.energy.max_relative_error, 1e-4);
  const auto typed = [](const char* text) { return source_text{text, {}, ""}; };
  const comparison table = compare<double>(m, {typed("midpoint-composition"), typed("parabola-gauss")},
                                           {typed("0.02"), typed("0.01")}, registered_scheme().traits.order * 1.0, {});
  ASSERT_EQ(table.cells.size(), 4U);
  EXPECT_NEAR(table.cells[1].order.value_or(0), 4, 0.3);
  EXPECT_NEAR(table.cells[3].order.value_or(0), 4, 0.3);
}

#ifndef ACTIO_NO_THREADS
// What stood in the catalogue stays where it is while other threads add to it and read it.
TEST(registered_method, comes_from_any_thread) {
  const method* const simpson = find_method("simpson");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int k = 0; k < 25; ++k) {
        const std::string name = "thread-" + std::to_string(t) + "-method-" + std::to_string(k);
        const method& added = register_method(composition(name));
        EXPECT_EQ(find_method(name), &added);
        for (const method& m : method_catalogue()) EXPECT_GE(m.traits.order, 1);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(find_method("simpson"), simpson);
}
#endif

TEST(registered_method, is_written_as_the_documentation_says) {
  const std::string here = testing::contents(ACTIO_SOURCE_DIR "/tests/integrate/registered_method_test.cpp");
  bool inside = false;
  std::size_t quoted = 0;
  for (const std::string& line : testing::lines_of(testing::contents(ACTIO_SOURCE_DIR "/docs/own-methods.md"))) {
    if (line.starts_with("```")) {
      inside = !inside;
      continue;
    }
    const std::string text = line.ends_with("));") ? line.substr(0, line.size() - 1) : line;
    if (!inside) continue;
    EXPECT_NE(here.find(text), std::string::npos) << line;
    ++quoted;
  }
  EXPECT_GE(quoted, 10U);
}

}  // namespace
}  // namespace actio
