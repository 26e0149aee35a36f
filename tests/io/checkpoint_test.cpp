#include "actio/io/checkpoint.hpp"

#include <gtest/gtest.h>

#include "actio/simulate/certificate_meter.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

const run_identity identity{{"model", "double pendulum"}, {"method", "any"}};

// Runs `method` to step `middle`, takes a checkpoint, and goes on from it in fresh objects.
template <class S>
void expect_same_bits(const std::string& method, bool velocity_state = false) {
  const testing::temporary_folder folder;
  const std::string path = folder.path("out.csv.checkpoint");
  const model m = testing::read_suited(
      method, {testing::forced_system, testing::forced_separable_system, testing::double_pendulum_in_angles});
  const integrator<S> flow(m.system, {.method = method, .step = S(1) / S(16), .velocity_state = velocity_state});
  const std::size_t middle = 23, last = 60;

  phase_state<S> whole = flow.at_start(m), first = flow.at_start(m);
  const auto whole_workspace = flow.make_workspace(), first_workspace = flow.make_workspace();
  const run_report<S> uninterrupted = run(flow, *whole_workspace, whole, run_options<S>{.steps = last});

  certificate_meter<S> meter(flow);
  checkpoint_writer<S> writer({path, identity, 1}, [] { return output_mark<S>{7, {}}; }, 0);
  run(flow, *first_workspace, first,
      run_options<S>{.steps = middle, .observers = {&writer}, .interrupted = {}, .meter = &meter});
  ASSERT_EQ(writer.error(), "");

  const auto second_workspace = flow.make_workspace();
  certificate_meter<S> resumed_meter(flow);
  resumed_run<S> resumed = resume(*read_checkpoint(path), identity, path, flow, *second_workspace, resumed_meter);
  EXPECT_EQ(resumed.output.rows, 7u);
  EXPECT_EQ(resumed.state.index, middle);
  const run_report<S> report =
      run(flow, *second_workspace, resumed.state,
          run_options<S>{.steps = last, .observers = {}, .interrupted = {}, .meter = &resumed_meter});
  EXPECT_EQ(report.position, uninterrupted.position);
  EXPECT_EQ(report.momentum, uninterrupted.momentum);
  EXPECT_EQ(resumed.state.position.remainder, whole.position.remainder);
  EXPECT_EQ(report.energy.final, uninterrupted.energy.final);
  EXPECT_EQ(report.energy.work, uninterrupted.energy.work);
  EXPECT_EQ(report.energy.max_relative_error, uninterrupted.energy.max_relative_error);
  EXPECT_EQ(report.energy.drift.per_time, uninterrupted.energy.drift.per_time);
  EXPECT_EQ(report.mean_iterations, uninterrupted.mean_iterations);
}

TEST(checkpoint, a_resumed_run_equals_an_uninterrupted_one_bit_for_bit) {
  for (const method& m : method_catalogue()) {
    SCOPED_TRACE(m.name);
    expect_same_bits<double>(m.name);
  }
  expect_same_bits<double>("rk4", true);
}

TEST(checkpoint, holds_in_quad_and_with_fifty_digits) {
  expect_same_bits<quad>("simpson");
  expect_same_bits<quad>("rk4");
  const precision_scope scope(50);
  expect_same_bits<multi>("simpson");
  expect_same_bits<multi>("gauss-4");
}

snapshot example() {
  snapshot contents;
  contents.put_text("identity.model", "double pendulum");
  contents.put("numbers", std::vector<double>{0.1, -3, 1e-300});
  return contents;
}

std::string refusal(const std::string& text) {
  try {
    parse_checkpoint(text, "run.h5.checkpoint");
  } catch (const input_error& e) {
    return e.what();
  }
  return "";
}

TEST(checkpoint, reads_what_it_wrote) {
  EXPECT_EQ(parse_checkpoint(checkpoint_text(example()), "x").get<double>("numbers"),
            (std::vector<double>{0.1, -3, 1e-300}));
}

TEST(checkpoint, refuses_damage_with_the_reason) {
  const std::string text = checkpoint_text(example());
  EXPECT_EQ(refusal(text), "");
  EXPECT_NE(refusal(text.substr(0, text.size() / 2)).find("its checksum does not fit"), std::string::npos);
  std::string flipped = text;
  flipped[text.size() / 2] ^= 1;
  EXPECT_NE(
      refusal(flipped).find("the checkpoint cannot be used: its checksum does not fit, run.h5.checkpoint; remove it"),
      std::string::npos);
  EXPECT_NE(refusal("").find("does not begin like a checkpoint"), std::string::npos);
}

TEST(checkpoint, refuses_another_run_by_naming_the_difference) {
  const model m = testing::read(testing::forced_system);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.1});
  const auto workspace = flow.make_workspace();
  certificate_meter<double> meter(flow);
  snapshot contents = example();
  contents.put_text("identity.method", "verlet");
  try {
    resume(contents, identity, "p", flow, *workspace, meter);
    FAIL();
  } catch (const input_error& e) {
    EXPECT_EQ(e.id(), "checkpoint-foreign");
    EXPECT_NE(std::string(e.what()).find("another method"), std::string::npos) << e.what();
  }
  contents.put_text("identity.method", "any");
  try {
    resume(contents, identity, "p", flow, *workspace, meter);
    FAIL();
  } catch (const input_error& e) {
    EXPECT_EQ(e.id(), "checkpoint-damaged");
  }
}

TEST(checkpoint, refuses_counts_that_are_none) {
  const model m = testing::read(testing::forced_system);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.1});
  const auto workspace = flow.make_workspace();
  phase_state<double> state = flow.at_start(m);
  certificate_meter<double> meter(flow);
  run(flow, *workspace, state, run_options<double>{.steps = 3, .observers = {}, .interrupted = {}, .meter = &meter});
  snapshot good;
  save(state, good);
  meter.save(good);
  good.put("parameters", workspace->space().parameters().values());
  good.put("history", workspace->history());
  good.put("output.rows", std::vector<double>{4});
  good.put_texts("output.pending", {});
  good.put("run.seconds", std::vector<double>{0.5});
  const auto reason = [&](const char* list, std::vector<double> wrong) -> std::string {
    snapshot contents = good;
    contents.put(list, wrong);
    try {
      resume(contents, {}, "p", flow, *workspace, meter);
    } catch (const input_error& e) {
      return e.message();
    }
    return "";
  };
  EXPECT_EQ(reason("output.rows", {4}), "");
  EXPECT_EQ(reason("output.rows", {-1}),
            "the checkpoint cannot be used: its 'output.rows' holds -1, which is not a count");
  EXPECT_NE(reason("output.rows", {1e300}), "");
  EXPECT_NE(reason("output.rows", {0.5}), "");
  EXPECT_NE(reason("output.pending", {1, 2}), "");
  EXPECT_NE(reason("certificate.solver", {1, 1e300, 1}), "");
  EXPECT_NE(reason("certificate.solver", {1, 1, -5}), "");
  EXPECT_NE(reason("certificate.energy_error.drift", std::vector<double>(6 + 2 * 128, 1.0)), "");
}

}  // namespace
}  // namespace actio
