#include "actio/mechanics/switching.hpp"

#include <algorithm>
#include <unordered_set>

#include "actio/expr/print.hpp"
#include "actio/expr/sample_table.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

// Operations with kinks or samples.
bool has_pieces(const element_family& family) {
  return std::ranges::any_of(topological_order(std::span(&family.body, 1)), [](const expr& e) {
    constexpr operation pieces[] = {operation::abs,  operation::sign,  operation::step,  operation::floor,
                                    operation::sqrt, operation::power, operation::lookup};
    return std::ranges::find(pieces, e.op()) != std::end(pieces);
  });
}

// All that the motion follows from; of kinks in more elements than these nobody could look for each.
std::vector<expr> roots_of(const lagrangian_system& given) {
  constexpr std::size_t most_elements_watched = 4096;
  lagrangian_system system = given;
  if (system.sums) {
    const auto is_watched = [](const element_family& f) {
      return has_pieces(f) && f.elements <= most_elements_watched;
    };
    auto watched = std::make_shared<std::vector<element_family>>(*system.sums);
    for (element_family& f : *watched) {
      if (!is_watched(f)) f.body = expr(0);
    }
    system.sums = std::move(watched);
    write_out_sums(system);
  }
  write_out_recursions(system);
  std::vector<expr> roots{system.lagrangian};
  roots.insert(roots.end(), system.forces.begin(), system.forces.end());
  roots.insert(roots.end(), system.equations.begin(), system.equations.end());
  for (const named_expr& g : system.constraints) roots.push_back(g.value);
  return roots;
}

std::vector<expr> variables_of(const lagrangian_system& system) {
  std::vector<expr> variables = system.coordinates;
  for (const expr& v : system.velocities()) variables.push_back(v);
  variables.push_back(time_symbol());
  return variables;
}

// √(u²), (u²)^(1/4) and the like: u.
const expr* base_of_even_power(const expr& e) {
  const expr& inner = e.operands()[0];
  if (inner.op() != operation::power || !inner.operands()[1].is_number()) return nullptr;
  const rational power = inner.operands()[1].number();
  const rational outer = e.op() == operation::sqrt     ? rational(1, 2)
                         : e.operands()[1].is_number() ? e.operands()[1].number()
                                                       : rational(1);
  const auto is_even = [](const rational& x) { return denominator(x) == 1 && numerator(x) % 2 == 0; };
  return is_even(power) && !is_even(power * outer) ? &inner.operands()[0] : nullptr;
}

class collector {
 public:
  explicit collector(const lagrangian_system& system) : system_(system) {}

  void look_at(const expr& e) {
    switch (e.op()) {
      case operation::abs:
      case operation::sign:
      case operation::step: return add(e.operands()[0], to_text(e.operands()[0]) + " = 0");
      case operation::floor:
        return add(sin(expr::pi() * e.operands()[0]), to_text(e.operands()[0]) + " is a whole number");
      case operation::sqrt:
      case operation::power:
        if (const expr* base = base_of_even_power(e)) add(*base, to_text(*base) + " = 0");
        return;
      default: return;
    }
  }

  std::vector<switching_value> found;

 private:
  void add(const expr& value, std::string text) {
    if (variables_.empty()) variables_ = variables_of(system_);
    if (!depends_on_any(value, variables_) || !known_.insert(value).second) return;
    known_.insert(-value);
    found.push_back({value, std::move(text)});
  }

  const lagrangian_system& system_;
  std::vector<expr> variables_;  // once they are needed
  std::unordered_set<expr> known_;
};

}  // namespace

std::vector<switching_value> switching_values(const lagrangian_system& system) {
  collector all(system);
  for (const expr& e : topological_order(roots_of(system))) all.look_at(e);
  return std::move(all.found);
}

std::vector<switching_times> switching_times_of(const lagrangian_system& system) {
  std::vector<switching_times> result;
  for (const expr& e : topological_order(roots_of(system))) {
    if (e.op() != operation::lookup) continue;
    const sample_table& samples = *e.operands()[0].part().samples;
    const expr& argument = e.operands()[1];
    const auto is_same = [&](const switching_times& s) { return s.signal == samples.name() && s.argument == argument; };
    if (std::ranges::any_of(result, is_same)) continue;
    result.push_back({samples.name(), argument, samples.times(), samples.kind() == interpolation::linear ? 0U : 2U});
  }
  return result;
}

template <class S>
void require_signals(const lagrangian_system& system, const S& begin, const S& end) {
  using std::abs;
  const expr t = time_symbol();
  for (const switching_times& signal : switching_times_of(system)) {
    std::vector<expr> others = variables_of(system);
    others.pop_back();
    if (depends_on_any(signal.argument, others) || !is_polynomial(signal.argument, std::span(&t, 1), 1)) continue;
    const auto argument_at = [&](const S& time) {
      const expr at = substitute(signal.argument, {{t, expr(rational(0))}});
      const expr after = substitute(signal.argument, {{t, expr(rational(1))}});
      const S a = quantity_value<S>(system, at), b = quantity_value<S>(system, after);
      return S(a + (b - a) * time);
    };
    const S first = from_rational<S>(signal.times.front()), last = from_rational<S>(signal.times.back());
    const S margin = 64 * epsilon<S>() * (abs(first) > abs(last) ? S(abs(first)) : S(abs(last)));
    for (const S& time : {begin, end}) {
      const S x = argument_at(time);
      if (x >= first - margin && x <= last + margin) continue;
      throw input_error("signal-range",
                        "the signal '" + signal.signal + "' is known from " + to_brief(first, 8) + " to " +
                            to_brief(last, 8) + ", but the run asks for " + signal.signal + "(" + to_brief(x, 8) + ")",
                        {}, "give it more samples, or let the run begin later or end earlier");
    }
  }
}

#define ACTIO_INSTANTIATE(S) template void require_signals<S>(const lagrangian_system&, const S&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
