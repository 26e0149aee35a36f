#include "actio/simulate/section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/integrate/galerkin_methods.hpp"
#include "actio/integrate/galerkin_step.hpp"
#include "actio/mechanics/name_scope.hpp"

namespace actio {

namespace {

constexpr const char* example = "write EXPRESSION, EXPRESSION:down or EXPRESSION:both, as in q1:both";

expr parse_measurement(const lagrangian_system& system, const source_text& source) {
  name_scope scope;
  if (system.is_first_order()) scope.exclude_momenta();
  for (const expr& q : system.coordinates) scope.declare(q.name(), name_kind::coordinate, {});
  for (const named_expr& p : system.parameters) scope.declare(p.name, name_kind::parameter, p.place);
  const std::vector<std::string> definitions = declare_definitions(scope, system.definitions);
  for (const named_expr& p : system.parameters) scope.define_as_symbol(p.name);
  for (const std::string& name : definitions) scope.define(name);
  return scope.parse(source, expression_use::measurement);
}

// Where f vanishes between 0 and 1, from its values at both ends, to rounding: Chandrupatla's method, which takes
// inverse quadratic interpolation where that is safe and halves otherwise. `value(x)` gives nothing where f has none.
template <class S, class Value>
std::optional<S> root_between(const S& value_at_0, const S& value_at_1, Value&& value) {
  using std::abs;
  constexpr int most_trials = 400;  // halving alone ends much earlier in double; more digits need more
  S a(0), b(1), c(1), fa = value_at_0, fb = value_at_1, fc = value_at_1;
  S part = fa / (fa - fb);
  for (int trial = 0; trial < most_trials; ++trial) {
    const S x = a + part * (b - a);
    const std::optional<S> found = value(x);
    if (!found) return std::nullopt;
    const S fx = *found;
    if ((fx > S(0)) == (fa > S(0)) && fx != S(0)) {
      c = a, fc = fa;
    } else {
      c = b, fc = fb;
      b = a, fb = fa;
    }
    a = x, fa = fx;
    const S best = abs(fa) < abs(fb) ? a : b;
    const S least = S(2) * epsilon<S>() / abs(b - a);
    if (fa == S(0)) return a;
    if (!(least < S(0.5))) return best;
    const S xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    part = S(0.5);
    if (phi * phi < xi && (S(1) - phi) * (S(1) - phi) < S(1) - xi) {
      part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    }
    part = std::min<S>(S(1) - least, std::max<S>(least, part));
  }
  return a;
}

}  // namespace

section section_from(const model& m, const source_text& typed) {
  section result{.text = typed.text, .value = {}};
  const std::size_t colon = std::min(typed.text.find(':'), typed.text.size());
  if (colon < typed.text.size()) {
    std::string word = typed.text.substr(colon + 1);
    std::erase(word, ' ');
    if (word != "up" && word != "down" && word != "both") {
      throw input_error("unknown-option-value", fmt::format("'{}' is no direction", word), typed.place_at(colon + 1),
                        suggest(word, {"up", "down", "both"}));
    }
    result.direction = word == "up" ? crossing::up : word == "down" ? crossing::down : crossing::both;
  }
  result.value = parse_measurement(m.system, {typed.text.substr(0, colon), typed.origin, typed.role});
  if (!result.value.is_number()) return result;
  throw input_error("expression-syntax", fmt::format("'{}' is the same everywhere: nothing crosses it", typed.text),
                    typed.origin, example);
}

template <class S>
section_finder<S>::section_finder(const integrator<S>& flow, const section& where)
    : flow_(flow),
      direction_(where.direction),
      scheme_(galerkin_scheme_of(flow.method())),
      velocity_(flow.space().size(), S(0)),
      legendre_(flow_.space()) {
  const lagrangian_system& system = flow_.space().system();
  if (!system.constraints.empty()) scheme_.reset();
  std::vector<expr> variables(system.coordinates);
  for (const auto& part : {system.velocities(), {time_symbol()}, system.momenta()}) {
    variables.insert(variables.end(), part.begin(), part.end());
  }
  function_ = compile<S>(lower(std::vector<expr>{where.value}, system.parameter_symbols(), variables));
  evaluation_ = function_->evaluate_at(1);
  evaluation_->set_parameters(flow_.space().parameters());
  in_.assign(function_->inputs() * evaluation_->stride(), S(0));
  out_.assign(function_->outputs() * evaluation_->stride(), S(0));
}

template <class S>
S section_finder<S>::value(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p) {
  const std::size_t n = q.size(), stride = evaluation_->stride();
  for (std::size_t i = 0; i < n; ++i) {
    in_[i * stride] = q[i];
    in_[(n + i) * stride] = v[i];
  }
  in_[2 * n * stride] = t;
  for (std::size_t i = 0; i < p.size(); ++i) in_[(2 * n + 1 + i) * stride] = p[i];
  (*evaluation_)(in_.data(), out_.data());
  return out_[0];
}

// Of Galerkin methods without constraints the general step: its workspace is made faster than those that make programs
// of their own, and it has the same solution.
template <class S>
std::optional<S> section_finder<S>::value_at_end(const phase_state<S>& before, const S& fraction) {
  const phase_space<S>& space = flow_.space();
  const step_context<S> context{space, S(fraction * flow_.step()), flow_.options().velocity_state};
  end_ = before;
  end_.index = 0;
  end_.origin = before.time;
  const step_status status = scheme_ ? galerkin_step<S>(*scheme_, context).advance(end_)
                                     : flow_.method().template make<S>(context)->advance(end_);
  if (!status) return std::nullopt;
  if (!legendre_.velocity_at(end_.time, end_.position.value, end_.momentum.value, velocity_, end_.velocity)) {
    return std::nullopt;
  }
  const S result = value(end_.time, end_.position.value, velocity_, end_.momentum.value);
  if (!is_finite(result)) return std::nullopt;
  return result;
}

template <class S>
std::optional<phase_state<S>> section_finder<S>::find(const phase_state<S>& before, const S& value_before,
                                                      const S& value_after) {
  S last(-1);
  const auto fraction = root_between<S>(value_before, value_after, [&](const S& x) {
    last = x;
    return value_at_end(before, x);
  });
  if (!fraction) return std::nullopt;
  if (*fraction != last && !value_at_end(before, *fraction)) return std::nullopt;
  return end_;
}

#define ACTIO_INSTANTIATE(S) template class section_finder<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
