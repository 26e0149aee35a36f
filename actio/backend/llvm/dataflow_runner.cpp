#include "actio/backend/llvm/dataflow_runner.hpp"

#include "actio/backend/kernel/flow_text.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/host_functions.hpp"

// Only processors with fused operations come here.
#define ACTIO_FUSED __attribute__((target("fma")))

namespace actio::machine_code {

using kernel::value_kind;

namespace {

double call_of(operation op, double x, double y) {
  if (is_outside(op)) return outside_value(op, x, y);
  return operand_count(op) == 1 ? value_of(op, x) : value_of(op, x, y);
}

}  // namespace

dataflow_runner::dataflow_runner(const kernel::dataflow& flow)
    : outputs_(flow.outputs), workspace_size_(flow.values.size() + 1) {
  const auto known = [](kernel::value_id v, kernel::value_id otherwise) {
    return v == kernel::nowhere ? otherwise : v;
  };
  const auto unused = static_cast<kernel::value_id>(flow.values.size());  // where results go that nobody reads
  for (const kernel::stage& s : flow.stages) {
    for (const kernel::value_id v : s.before) {
      const kernel::value& x = flow.values[v];
      steps_.push_back({x.kind, x.op, v, x.a, known(x.b, x.a), x.c});
    }
    for (const kernel::call_group& group : s.calls) {
      for (const auto& m : group.members) {
        const bool is_sine = group.op == operation::sin;
        steps_.push_back({value_kind::call, group.op, known(m.result, unused), m.argument,
                          is_sine ? known(m.cosine, unused) : m.second, kernel::nowhere});
      }
    }
  }
}

ACTIO_FUSED void dataflow_runner::run(const double* fixed, const double* in, double* out, std::size_t stride,
                                      double* r) const {
  for (const step& s : steps_) {
    double& target = r[s.target];
    switch (s.kind) {
      case value_kind::variable: target = in[s.a * stride]; break;
      case value_kind::fixed: target = fixed[s.a]; break;
      case value_kind::operation:
        target = s.op == operation::divide ? r[s.a] / r[s.b] : kernel::apply(s.op, r[s.a], r[s.b]);
        break;
      case value_kind::reciprocal: target = 1 / r[s.a]; break;
      case value_kind::product_plus: target = __builtin_fma(r[s.a], r[s.b], r[s.c]); break;
      case value_kind::product_minus: target = __builtin_fma(r[s.a], r[s.b], -r[s.c]); break;
      case value_kind::minus_product: target = __builtin_fma(-r[s.a], r[s.b], r[s.c]); break;
      case value_kind::call:
        if (s.op == operation::sin) sine_and_cosine_of(r[s.a], target, r[s.b]);
        else target = call_of(s.op, r[s.a], r[s.b]);
        break;
    }
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) out[k * stride] = r[outputs_[k]];
}

}  // namespace actio::machine_code
