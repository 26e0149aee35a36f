// A method of one's own: three Störmer–Verlet steps that make one of order four, registered and used by its name.
#include <actio/actio.hpp>
#include <array>
#include <cmath>
#include <cstdio>

using namespace actio;

// Lengths z h, (1 − 2z) h, z h with z = 1/(2 − 2^(1/3)).
class triple_jump final : public step_workspace<double> {
 public:
  explicit triple_jump(const step_context<double>& context) : step_workspace<double>(context), step_(context.step) {
    const double z = 1 / (2 - std::cbrt(2.0));
    lengths_ = {z * step_, step_ - 2 * z * step_, z * step_};
    for (std::size_t k = 0; k < 3; ++k) {
      parts_[k] = find_method("verlet")->make<double>({.space = context.space, .step = lengths_[k]});
    }
  }

  step_status advance(phase_state<double>& state) override {
    phase_state<double> next = state;
    step_status status;
    work_ = 0;
    for (std::size_t k = 0; k < 3 && status; ++k) {
      next.index = 0;
      next.begin_at(state.time + (k > 0 ? lengths_[0] : 0) + (k > 1 ? lengths_[1] : 0));
      status = parts_[k]->advance(next);
      work_ += parts_[k]->work();
    }
    if (!status) return status;
    next.take_clock(state);
    next.step_on(step_);
    left_ = state.position.value;
    right_ = next.position.value;
    state = next;
    return status;
  }

  double work() const override { return work_; }
  void interpolate(const double& fraction, std::span<double> position) override {  // a straight line will do
    for (std::size_t i = 0; i < left_.size(); ++i) position[i] = left_[i] + fraction * (right_[i] - left_[i]);
  }
  matrix<double> tangent_map(const phase_state<double>&) override { return {}; }  // not needed here
  void parameters_changed() override {
    for (auto& part : parts_) part->parameters_changed();
  }

 private:
  double step_, work_ = 0;
  std::array<double, 3> lengths_{};
  std::array<std::unique_ptr<step_workspace<double>>, 3> parts_;
  std::vector<double> left_, right_;
};

int main() {
  register_method(needing_lagrangian(
      {.name = "three-verlet-steps",
       .aliases = {},
       .traits = {.order = 4, .symplectic = true, .symmetric = true, .conserves_momenta = true},
       .summary = "three Störmer–Verlet steps",
       .formula = "V_{z h} V_{(1-2z) h} V_{z h}, z = 1/(2 - 2^(1/3))",
       .reference = "yoshida1990",
       .in_double = [](const step_context<double>& c) { return std::make_unique<triple_jump>(c); }}));

  const auto pendulum =
      lagrangian_system::from("pendulum", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 + cos(q[0]); });
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const integrator<double> flow(pendulum, {.method = "three-verlet-steps", .step = k == 0 ? 0.1 : 0.05});
    phase_state<double> state = flow.at_velocity({1}, {0});
    errors[k] = run(flow, state, k == 0 ? 1000 : 2000).energy.max_relative_error;
  }
  const double order = std::log2(errors[0] / errors[1]);
  std::printf("energy errors %.2e and %.2e: order %.2f\n", errors[0], errors[1], order);
  return std::abs(order - 4) < 0.2 ? 0 : 1;
}
