#include "actio/backend/kernel/dataflow.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "actio/base/error.hpp"

namespace actio::kernel {

namespace {

bool is_call(operation op) {
  switch (op) {
    case operation::exp:
    case operation::log:
    case operation::sin:
    case operation::cos:
    case operation::tan:
    case operation::asin:
    case operation::acos:
    case operation::atan:
    case operation::sinh:
    case operation::cosh:
    case operation::tanh:
    case operation::log1p:
    case operation::expm1:
    case operation::erf:
    case operation::power:
    case operation::atan2:
    case operation::hypot:
    case operation::jn:
    case operation::lookup: return true;
    case operation::add:
    case operation::subtract:
    case operation::multiply:
    case operation::divide:
    case operation::negate:
    case operation::sqrt:
    case operation::abs:
    case operation::sign:
    case operation::step:
    case operation::floor:
    case operation::where:
    case operation::negation:
    case operation::both:
    case operation::number:
    case operation::pi:
    case operation::symbol:
    case operation::table: return false;
  }
  ACTIO_ASSERT(false);
  return false;
}

// Calls f with each operand of v that is another value.
template <class F>
void for_each_operand(const value& v, F f) {
  if (v.kind == value_kind::variable || v.kind == value_kind::fixed) return;
  for (const value_id operand : {v.a, v.b, v.c}) {
    if (operand != nowhere) f(operand);
  }
}

class analysis {
 public:
  explicit analysis(const program& p) : program_(p), in_register_(p.registers, nowhere) {}

  dataflow result() {
    for (const instruction& i : program_.body) {
      const value_id left = read(i.left);
      const value_id right = operand_count(i.op) == 2 ? read(i.right) : nowhere;
      in_register_[i.target] = append({is_call(i.op) ? value_kind::call : value_kind::operation, i.op, left, right});
    }
    for (const std::uint32_t r : program_.outputs) flow_.outputs.push_back(read(r));
    share_reciprocals();
    fuse_products();
    arrange();
    return std::move(flow_);
  }

 private:
  value_id append(const value& v) {
    flow_.values.push_back(v);
    return static_cast<value_id>(flow_.values.size() - 1);
  }

  // The value that stands in the register now.
  value_id read(std::uint32_t r) {
    if (in_register_[r] == nowhere) {
      const bool variable = r >= program_.parameters && r < program_.parameters + program_.variables;
      const auto number = static_cast<value_id>(variable ? r - program_.parameters : r);
      in_register_[r] = append({variable ? value_kind::variable : value_kind::fixed, operation::symbol, number});
    }
    return in_register_[r];
  }

  void count_uses() {
    uses_.assign(flow_.values.size(), 0);
    for (const value_id v : flow_.outputs) ++uses_[v];
    for (const value& v : flow_.values) {
      for_each_operand(v, [&](value_id operand) { ++uses_[operand]; });
    }
  }

  // A division takes as long as several products, and forces of gravity divide by a distance three times in a row.
  void share_reciprocals() {
    const auto is_division = [](const value& v) {
      return v.kind == value_kind::operation && v.op == operation::divide;
    };
    std::vector<std::uint32_t> divisions(flow_.values.size(), 0);
    for (const value& v : flow_.values) {
      if (is_division(v)) ++divisions[v.b];
    }
    if (std::ranges::none_of(divisions, [](std::uint32_t count) { return count > 1; })) return;
    const std::vector<value> before = std::exchange(flow_.values, {});
    std::vector<value_id> moved(before.size(), nowhere), reciprocal(before.size(), nowhere);
    for (value_id k = 0; k < before.size(); ++k) {
      value v = before[k];
      if (is_division(v) && divisions[v.b] > 1) {
        value_id& inverse = reciprocal[v.b];
        if (inverse == nowhere) inverse = append({value_kind::reciprocal, operation::divide, moved[v.b]});
        v = {value_kind::operation, operation::multiply, moved[v.a], inverse};
      } else if (v.kind != value_kind::variable && v.kind != value_kind::fixed) {
        for (value_id* const operand : {&v.a, &v.b, &v.c}) {
          if (*operand != nowhere) *operand = moved[*operand];
        }
      }
      moved[k] = append(v);
    }
    for (value_id& v : flow_.outputs) v = moved[v];
  }

  // A product that nothing but one sum or difference reads becomes part of it; of two, the right one.
  void fuse_products() {
    count_uses();
    const auto fusible = [&](value_id v) {
      const value& candidate = flow_.values[v];
      return candidate.kind == value_kind::operation && candidate.op == operation::multiply && uses_[v] == 1;
    };
    for (value& v : flow_.values) {
      if (v.kind != value_kind::operation || (v.op != operation::add && v.op != operation::subtract)) continue;
      const bool difference = v.op == operation::subtract;
      const bool right = fusible(v.b);
      if (!right && !fusible(v.a)) continue;
      const value_id product = right ? v.b : v.a, other = right ? v.a : v.b;
      v.kind = !difference ? value_kind::product_plus : right ? value_kind::minus_product : value_kind::product_minus;
      v.c = other;
      v.a = flow_.values[product].a;
      v.b = flow_.values[product].b;
      uses_[product] = 0;
    }
  }

  // Level of a value: the most calls on a path that leads to it. Calls of one level do not depend on each other. A
  // value is computed just before the first level of calls that needs it.
  void arrange() {
    const std::size_t count = flow_.values.size();
    std::vector<std::uint32_t> level(count, 0);
    std::uint32_t levels = 0;
    for (value_id v = 0; v < count; ++v) {
      for_each_operand(flow_.values[v], [&](value_id operand) { level[v] = std::max(level[v], level[operand]); });
      if (flow_.values[v].kind == value_kind::call) ++level[v];
      levels = std::max(levels, level[v]);
    }
    std::vector<std::uint32_t> needed_at(count, levels + 1);
    for (value_id v = static_cast<value_id>(count); v-- > 0;) {
      if (uses_[v] == 0) continue;
      const std::uint32_t here = flow_.values[v].kind == value_kind::call ? level[v] : needed_at[v];
      for_each_operand(flow_.values[v],
                       [&](value_id operand) { needed_at[operand] = std::min(needed_at[operand], here); });
    }
    flow_.stages.resize(levels + 1);
    std::vector<std::map<operation, std::size_t>> groups(levels + 1);
    for (value_id v = 0; v < count; ++v) {
      if (uses_[v] == 0) continue;
      if (flow_.values[v].kind == value_kind::call) {
        add_call(v, flow_.stages[level[v] - 1], groups[level[v] - 1]);
      } else {
        flow_.stages[needed_at[v] - 1].before.push_back(v);
      }
    }
  }

  void add_call(value_id v, stage& at, std::map<operation, std::size_t>& groups) {
    const value& call = flow_.values[v];
    const bool cosine = call.op == operation::cos;
    const operation op = cosine ? operation::sin : call.op;
    const auto [found, fresh] = groups.try_emplace(op, at.calls.size());
    if (fresh) at.calls.push_back({op, {}});
    auto& members = at.calls[found->second].members;
    if (op == operation::sin) {
      const auto [pair, first] = pairs_.try_emplace(call.a, members.size());
      if (first) members.push_back({call.a, call.a, nowhere, nowhere});
      (cosine ? members[pair->second].cosine : members[pair->second].result) = v;
    } else {
      members.push_back({call.a, call.b == nowhere ? call.a : call.b, v, nowhere});
    }
  }

  const program& program_;
  dataflow flow_;
  std::vector<value_id> in_register_;
  std::vector<std::uint32_t> uses_;
  std::map<value_id, std::size_t> pairs_;  // position of the sine and cosine of an argument in their group
};

}  // namespace

dataflow analyse(const program& p) { return analysis(p).result(); }

}  // namespace actio::kernel
