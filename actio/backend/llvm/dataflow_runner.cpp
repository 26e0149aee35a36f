#include "actio/backend/llvm/dataflow_runner.hpp"

#include <cmath>

#include "actio/backend/interpreter/execute.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/host_functions.hpp"
#include "actio/base/error.hpp"

// Only processors with fused operations come here.
#define ACTIO_FUSED __attribute__((target("fma")))

namespace actio::machine_code {

namespace {

double call_of_two(operation op, double x, double y) {
  return is_outside(op) ? outside_value(op, x, y) : value_of(op, x, y);
}

}  // namespace

dataflow_runner::step dataflow_runner::step_for(const value& v, value_id target) {
  const auto make = [&](action what) { return step{what, v.op, target, v.a, v.b, v.c}; };
  switch (v.kind) {
    case value_kind::variable: return make(action::read_variable);
    case value_kind::fixed: return make(action::read_fixed);
    case value_kind::reciprocal: return make(action::reciprocal);
    case value_kind::product_plus: return make(action::product_plus);
    case value_kind::product_minus: return make(action::product_minus);
    case value_kind::minus_product: return make(action::minus_product);
    case value_kind::operation: break;
    case value_kind::call: ACTIO_ASSERT(false);
  }
  switch (v.op) {
    case operation::add: return make(action::add);
    case operation::subtract: return make(action::subtract);
    case operation::multiply: return make(action::multiply);
    case operation::divide: return make(action::divide);
    case operation::negate: return make(action::negate);
    case operation::sqrt: return make(action::sqrt);
    case operation::abs: return make(action::abs);
    case operation::step: return make(action::step);
    case operation::floor: return make(action::floor);
    case operation::where: return make(action::where);
    default: break;
  }
  ACTIO_ASSERT(v.op == operation::sign);
  return make(action::sign);
}

dataflow_runner::dataflow_runner(const dataflow& flow)
    : outputs_(flow.outputs), workspace_size_(flow.values.size() + 1) {
  const auto unused = static_cast<value_id>(flow.values.size());  // where results go that nobody reads
  for (const stage& s : flow.stages) {
    for (const value_id v : s.before) steps_.push_back(step_for(flow.values[v], v));
    for (const call_group& group : s.calls) {
      for (const auto& m : group.members) {
        if (group.op == operation::sin) {
          steps_.push_back({action::sine_and_cosine, group.op, m.result == nowhere ? unused : m.result, m.argument,
                            m.cosine == nowhere ? unused : m.cosine, nowhere});
        } else {
          const action what = operand_count(group.op) == 1 ? action::call_of_one : action::call_of_two;
          steps_.push_back({what, group.op, m.result, m.argument, m.second, nowhere});
        }
      }
    }
  }
}

ACTIO_FUSED void dataflow_runner::run(const double* fixed, const double* in, double* out, std::size_t stride,
                                      double* r) const {
  for (const step& s : steps_) {
    double& target = r[s.target];
    switch (s.what) {
      case action::read_variable: target = in[s.a * stride]; break;
      case action::read_fixed: target = fixed[s.a]; break;
      case action::add: target = r[s.a] + r[s.b]; break;
      case action::subtract: target = r[s.a] - r[s.b]; break;
      case action::multiply: target = r[s.a] * r[s.b]; break;
      case action::divide: target = r[s.a] / r[s.b]; break;
      case action::reciprocal: target = 1 / r[s.a]; break;
      case action::negate: target = -r[s.a]; break;
      case action::sqrt: target = std::sqrt(r[s.a]); break;
      case action::abs: target = std::abs(r[s.a]); break;
      case action::sign: target = interpreter::sign_of(r[s.a]); break;
      case action::step: target = interpreter::step_of(r[s.a]); break;
      case action::floor: target = std::floor(r[s.a]); break;
      case action::where: target = interpreter::chosen(r[s.a], r[s.b]); break;
      case action::product_plus: target = __builtin_fma(r[s.a], r[s.b], r[s.c]); break;
      case action::product_minus: target = __builtin_fma(r[s.a], r[s.b], -r[s.c]); break;
      case action::minus_product: target = __builtin_fma(-r[s.a], r[s.b], r[s.c]); break;
      case action::sine_and_cosine: sine_and_cosine_of(r[s.a], target, r[s.b]); break;
      case action::call_of_one: target = value_of(s.op, r[s.a]); break;
      case action::call_of_two: target = call_of_two(s.op, r[s.a], r[s.b]); break;
    }
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) out[k * stride] = r[outputs_[k]];
}

}  // namespace actio::machine_code
