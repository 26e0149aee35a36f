#include "actio/mechanics/element_forces.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"

namespace actio {

namespace {

// ∂f/∂q · v, where the velocities are a displacement.
expr slope_along(const expr& f, const element_family& family) {
  expr sum = 0;
  const std::vector<expr> slopes = gradient(f, family.positions);
  for (std::size_t k = 0; k < slopes.size(); ++k) sum += slopes[k] * family.velocities[k];
  return sum;
}

struct force_requests {
  std::vector<element_request> force, power, value, slope;
  bool depends_on_velocity = false;

  explicit force_requests(const system_code& code) {
    const system_families& families = families_of(code);
    for (const element_family& family : families.lagrangian) {
      const std::vector<expr> by_q = gradient(family.body, family.positions);
      element_request request{&family, {}}, along{&family, {}};
      for (std::uint32_t k = 0; k < family.slots(); ++k) {
        request.outputs.push_back({by_q[k], 0, element_place::slot, k});
        along.outputs.push_back({slope_along(by_q[k], family), 0, element_place::slot, k});
        depends_on_velocity = depends_on_velocity || depends_on_any(by_q[k], family.velocities);
      }
      force.push_back(std::move(request));
      slope.push_back(std::move(along));
      const expr rate = derivative(family.body, time_symbol());
      power.push_back({&family, {{-rate, 0, element_place::whole}}});
      if (family.slots() > 0 || depends_on(family.body, time_symbol())) {
        value.push_back({&family, {{family.body, 0, element_place::whole}}});
      }
    }
    for (std::size_t f = 0; f < families.forces.size(); ++f) {
      const element_family& family = families.forces[f];
      const auto slot = static_cast<std::uint32_t>(families.acts_on[f]);
      force.push_back({&family, {{family.body, 0, element_place::slot, slot}}});
      slope.push_back({&family, {{slope_along(family.body, family), 0, element_place::slot, slot}}});
      power.push_back({&family, {{family.body * family.velocities[slot], 0, element_place::whole}}});
      depends_on_velocity = depends_on_velocity || depends_on_any(family.body, family.velocities);
    }
  }
};

template <class S>
struct force_code {
  std::shared_ptr<const element_code<S>> force, power, value, slope;
};

template <class S>
std::shared_ptr<const force_code<S>> code_of(const system_code& code) {
  return code.piece<force_code<S>>(digits_of_constants<S>(), [&] {
    const auto requests = code.piece<force_requests>("", [&] { return force_requests(code); });
    return force_code<S>{
        compile_elements<S>(requests->force, code.system()), compile_elements<S>(requests->power, code.system()),
        compile_elements<S>(requests->value, code.system()), compile_elements<S>(requests->slope, code.system())};
  });
}

template <class S>
std::shared_ptr<const std::vector<sweep_move>> order_of(const system_code& code) {
  return code.piece<std::vector<sweep_move>>(
      "forces", [&] { return sweep_order_of<S>(*code_of<S>(code)->force, code.system().size()); });
}

class silent_visitor final : public sweep_visitor {
 public:
  bool open(std::size_t, std::size_t) override { return true; }
  bool close(std::size_t, std::size_t) override { return true; }
};

}  // namespace

template <class S>
element_forces<S>::element_forces(const system_code& code, shared_parameters<S> parameters)
    : n_(code.system().size()),
      depends_on_velocity_(code.piece<force_requests>("", [&] { return force_requests(code); })->depends_on_velocity),
      has_power_(code.system().is_forced() || depends_on_time(code.system())),
      parameters_(std::move(parameters)),
      power_code_(code_of<S>(code)->power),
      value_code_(code_of<S>(code)->value),
      slope_code_(code_of<S>(code)->slope),
      order_(order_of<S>(code)),
      force_(code_of<S>(code)->force, 1, parameters_) {}

template <class S>
void element_forces<S>::operator()(const S& t, const S* q, const S* v, S* force) {
  std::fill_n(force, n_, S(0));
  silent_visitor nobody;
  sweep(t, q, v, force, nobody);
}
template <class S>
bool element_forces<S>::sweep(const S& t, const S* q, const S* v, S* force, sweep_visitor& visitor) {
  S* const arrays[] = {force};
  return force_.sweep({q, v, &t, arrays}, *order_, visitor);
}

template <class S>
void element_forces<S>::slope_along(const S& t, const S* q, const S* dq, S* change) {
  if (!slope_) slope_.emplace(slope_code_, 1, parameters_);
  std::fill_n(change, n_, S(0));
  S* const arrays[] = {change};
  slope_->add({q, dq, &t, arrays});
}

template <class S>
S element_forces<S>::whole(std::optional<element_sums<S>>& sums, const std::shared_ptr<const element_code<S>>& code,
                           const S& t, const S* q, const S* v) {
  if (!sums) sums.emplace(code, 1, parameters_);
  S sum(0);
  S* const arrays[] = {&sum};
  sums->add({q, v, &t, arrays});
  return sum;
}

template <class S>
S element_forces<S>::power(const S& t, const S* q, const S* v) {
  return whole(power_, power_code_, t, q, v);
}
template <class S>
S element_forces<S>::lagrangian(const S& t, const S* q, const S* v) {
  return whole(value_, value_code_, t, q, v);
}

#define ACTIO_INSTANTIATE(S) template class element_forces<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
