#include "actio/simulate/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "actio/mechanics/event_table.hpp"
#include "actio/mechanics/name_scope.hpp"

namespace actio {

namespace {

constexpr const char* example = "write EXPRESSION, EXPRESSION:down or EXPRESSION:both, as in q1:both";

// More generous than turns are: one that is zero to rounding so near to an end belongs to the end.
constexpr double surface_margin = 16;

template <class S>
S nowhere() {
  return S(std::numeric_limits<double>::quiet_NaN());
}

template <class S>
S smaller_size(const S& a, const S& b) {
  using std::abs;
  return abs(a) < abs(b) ? S(abs(a)) : S(abs(b));
}

template <class S>
struct sign_change {
  S part;             // the side where |f| is smaller
  S value, opposite;  // f there and on the other side
  S later;            // the end of what is left of the bracket
};

// Where f changes sign between a and b, from its values there, to rounding: Chandrupatla's method, which takes inverse
// quadratic interpolation where that is safe and halves otherwise. `value(x)` gives nothing where f cannot be
// evaluated; where it is not finite, the search ends.
template <class S, class Value>
std::optional<sign_change<S>> root_between(S a, S b, S fa, S fb, Value&& value) {
  using std::abs;
  constexpr int most_trials = 400;  // halving alone ends much earlier in double; more digits need more
  S c = b, fc = fb;
  S part = fa / (fa - fb);
  for (int trial = 0; trial < most_trials; ++trial) {
    const S x = a + part * (b - a);
    const std::optional<S> found = value(x);
    if (!found) return std::nullopt;
    const S fx = *found;
    if (!is_finite(fx)) return sign_change<S>{x, fx, fx, x};
    if ((fx > S(0)) == (fa > S(0)) && fx != S(0)) {
      c = a, fc = fa;
    } else {
      c = b, fc = fb;
      b = a, fb = fa;
    }
    a = x, fa = fx;
    const S least = S(2) * epsilon<S>() / abs(b - a);
    if (fa == S(0)) return sign_change<S>{a, fa, fa, a};
    if (!(least < S(0.5))) {
      const S later = std::max<S>(a, b);
      return abs(fa) < abs(fb) ? sign_change<S>{a, fa, fb, later} : sign_change<S>{b, fb, fa, later};
    }
    const S xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    part = S(0.5);
    if (phi * phi < xi && (S(1) - phi) * (S(1) - phi) < S(1) - xi) {
      part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    }
    part = std::min<S>(S(1) - least, std::max<S>(least, part));
  }
  return sign_change<S>{a, fa, fb, std::max<S>(a, b)};
}

}  // namespace

expr parse_measurement(const lagrangian_system& system, const source_text& source) {
  name_scope scope;
  if (system.is_first_order()) scope.exclude_momenta();
  declare_signals(scope, system);
  if (system.is_hamiltonian()) scope.use_momenta();
  for (const expr& q : system.coordinates) scope.declare(q.name(), name_kind::coordinate, {});
  for (const named_expr& p : system.parameters) scope.declare(p.name, name_kind::parameter, p.place);
  const std::vector<std::string> definitions = declare_definitions(scope, system.definitions);
  for (const named_expr& p : system.parameters) scope.define_as_symbol(p.name);
  for (const std::string& name : definitions) scope.define(name);
  return scope.parse(source, expression_use::measurement);
}

section section_from(const model& m, const source_text& typed) {
  section result{.text = typed.text, .value = {}};
  const std::size_t colon = std::min(typed.text.find(':'), typed.text.size());
  if (colon < typed.text.size()) {
    std::string word = typed.text.substr(colon + 1);
    std::erase(word, ' ');
    result.direction = crossing_from({std::move(word), typed.place_at(colon + 1), typed.role});
  }
  result.value = parse_measurement(m.system, {typed.text.substr(0, colon), typed.origin, typed.role});
  if (!result.value.is_number()) return result;
  throw input_error("expression-syntax", fmt::format("'{}' is the same everywhere: nothing crosses it", typed.text),
                    typed.origin, example);
}

template <class S>
section_finder<S>::section_finder(const integrator<S>& flow, const phase_space<S>& space, const section& where)
    : direction_(where.direction),
      counts_jumps_(where.counts_jumps),
      parts_(8 + 2 * (flow.method().scheme ? flow.method().scheme->degree : 2)),
      step_(flow, space),
      value_(space, std::span(&where.value, 1)),
      velocity_(space.size(), S(0)),
      legendre_(space) {}

template <class S>
S section_finder<S>::value(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p) {
  value_.evaluate(t, q, v, p);
  return value_[0];
}

template <class S>
std::optional<S> section_finder<S>::value_at_end(const phase_state<S>& before, const S& part) {
  static_cast<phase_state<S>&>(end_) = before;
  end_.length = part * length_;
  if (!step_.advance(end_, end_.length)) return std::nullopt;
  if (!legendre_.velocity_at(end_.time, end_.position.value, end_.momentum.value, velocity_, end_.velocity)) {
    return std::nullopt;
  }
  return value(end_.time, end_.position.value, velocity_, end_.momentum.value);
}

// How much the value at the last end changes where all that it depends on changes by the rounding of a solved step:
// rounding of its own size there, or at the start of the step.
template <class S>
S section_finder<S>::rounding_at_end(const phase_state<S>& before) {
  using std::abs;
  constexpr double roundings = 64;
  const S here = value(end_.time, end_.position.value, velocity_, end_.momentum.value);
  const std::size_t n = end_.position.size();
  S sum(0);
  for (std::size_t k = 0; k < value_.arguments(); ++k) {
    S size = abs(value_.argument(k));
    if (k < n) size = std::max<S>(size, abs(before.position[k]));
    else if (k > 2 * n) size = std::max<S>(size, abs(before.momentum[k - 2 * n - 1]));
    const S kept = value_.argument(k);
    value_.argument(k) += S(roundings) * epsilon<S>() * size;
    value_.evaluate();
    if (is_finite(value_[0])) sum += abs(value_[0] - here);
    value_.argument(k) = kept;
  }
  return sum;
}

// The ends of the step but for those on the surface and, where the value may turn inside, points between them. None
// where the motion stays in the surface.
template <class S>
std::vector<typename section_finder<S>::node> section_finder<S>::sampled(const phase_state<S>& before,
                                                                         const section_step<S>& step,
                                                                         section_findings<S>& found) {
  using std::abs;
  if (!step.may_turn) return {{S(0), step.before}, {S(1), step.after}};
  const S rounding = value_at_end(before, S(1)) ? S(S(surface_margin) * rounding_at_end(before)) : S(0);
  found.ends_on_surface = abs(step.after) <= rounding;
  if (found.ends_on_surface && abs(step.before) <= rounding) {
    const std::optional<S> middle = value_at_end(before, S(0.5));
    if (middle && abs(*middle) <= rounding) return {};
  }
  std::vector<node> nodes{{S(0), step.before}};
  const auto add = [&](const S& part) {
    const std::optional<S> f = value_at_end(before, part);
    if (f && is_finite(*f)) nodes.push_back({part, *f});
  };
  for (std::size_t k = 1; !step.turns && k < parts_; ++k) {
    add(S(static_cast<double>(k)) / S(static_cast<double>(parts_)));
  }
  if (step.turns) std::ranges::for_each(*step.turns, add);
  if (!found.ends_on_surface) nodes.push_back({S(1), step.after});
  if (step.is_first && is_on_surface(before)) leave_surface(before, nodes);
  return nodes;
}

template <class S>
bool section_finder<S>::is_on_surface(const phase_state<S>& state) {
  using std::abs;
  static_cast<phase_state<S>&>(end_) = state;
  end_.length = S(0);
  if (!legendre_.velocity_at(end_.time, end_.position.value, end_.momentum.value, velocity_, end_.velocity)) {
    return false;
  }
  const S here = value(end_.time, end_.position.value, velocity_, end_.momentum.value);
  return is_finite(here) && abs(here) <= S(surface_margin) * rounding_at_end(state);
}

template <class S>
std::optional<int> section_finder<S>::side_after(const phase_state<S>& from, const S& length) {
  length_ = length;
  if (!is_on_surface(from)) return std::nullopt;
  std::vector<node> nodes{{S(0), S(0)}};
  leave_surface(from, nodes);
  return sign_of(nodes.front().value);
}

// A motion that starts on the surface belongs to the side that it goes to, however soon it comes back.
template <class S>
void section_finder<S>::leave_surface(const phase_state<S>& before, std::vector<node>& nodes) {
  using std::abs;
  constexpr int most_cuts = 12;
  S part = nodes.size() > 1 ? nodes[1].part : S(1);
  nodes.front().value = S(0);
  for (int k = 0; k < most_cuts; ++k) {
    part /= S(16);
    const std::optional<S> f = value_at_end(before, part);
    if (!f) continue;
    if (!is_finite(*f) || abs(*f) <= S(surface_margin) * rounding_at_end(before)) return;
    nodes.front() = {part, *f};
  }
}

// Beside an end on the surface: whether the motion goes through there, or touches and goes back.
template <class S>
void section_finder<S>::add_end(const phase_state<S>& before, std::vector<node>& nodes, section_findings<S>& found) {
  const S little = S(1) / S(1024);
  const std::optional<S> earlier = value_at_end(before, S(1) - little), later = value_at_end(before, S(1) + little);
  if (!earlier || !later || !is_finite(*earlier) || !is_finite(*later)) return;
  nodes.push_back({S(1) - little, *earlier});
  nodes.push_back({S(1) + little, *later});
  if (sign_of(*earlier) != sign_of(*later)) return;
  if (value_at_end(before, S(1))) found.touches.push_back(end_);
}

// The least |f| between two nodes with values of the same sign, where it lies inside: a turn, by golden section. It is
// returned where the sign changes there; where it is zero to rounding, it is a tangency.
template <class S>
std::optional<typename section_finder<S>::node> section_finder<S>::turn_between(const phase_state<S>& before,
                                                                                const node& left, const node& right,
                                                                                int sign, section_findings<S>& found) {
  using std::sqrt;
  const S shrink = (sqrt(S(5)) - S(1)) / S(2), narrow = sqrt(epsilon<S>()), rounded = S(64) * epsilon<S>();
  const auto height = [&](const S& part) { return S(S(sign) * value_at_end(before, part).value_or(nowhere<S>())); };
  node a{left.part, S(sign) * left.value}, b{right.part, S(sign) * right.value};
  node x{b.part - shrink * (b.part - a.part), S(0)}, y{a.part + shrink * (b.part - a.part), S(0)};
  x.value = height(x.part), y.value = height(y.part);
  while (is_finite(x.value) && is_finite(y.value)) {
    const node least = x.value < y.value ? x : y;
    const S highest = std::max<S>(a.value, b.value), width = b.part - a.part;
    if (least.value > S(0) && least.value > S(2) * (highest - least.value) && width > rounded) return std::nullopt;
    if (least.value <= S(0) || width <= narrow) {
      height(least.part);  // for the state, of which rounding is measured
      const S rounding = rounding_at_end(before);
      if (least.value < -rounding) return node{least.part, S(S(sign) * least.value)};
      if ((least.value <= rounding && width <= narrow) || width <= rounded) {
        const bool is_inside = least.part - left.part > rounded && right.part - least.part > rounded;
        if (is_inside && least.value <= rounding) found.touches.push_back(end_);
        return std::nullopt;
      }
    }
    if (x.value < y.value) {
      b = y, y = x;
      x.part = b.part - shrink * (b.part - a.part);
      x.value = height(x.part);
    } else {
      a = x, x = y;
      y.part = a.part + shrink * (b.part - a.part);
      y.value = height(y.part);
    }
  }
  return std::nullopt;
}

// Looks where |f| has a least value among the nodes that is small beside the bend there, and adds a node where it goes
// through zero and back.
template <class S>
void section_finder<S>::add_turns(const phase_state<S>& before, std::vector<node>& nodes, section_findings<S>& found) {
  using std::abs;
  const std::vector<node> seen = nodes;
  const std::size_t last = seen.size() - 1;
  nodes.clear();
  for (std::size_t k = 0; k <= last; ++k) {
    // Three nodes around; at an end of the step the turn may lie between it and its only neighbour.
    const std::size_t middle = std::clamp<std::size_t>(k, 1, last - 1);
    const S& f0 = seen[middle - 1].value;
    const S& f1 = seen[middle].value;
    const S& f2 = seen[middle + 1].value;
    const bool at_start = k == 0, at_end = k == last;
    const node &left = seen[at_start ? 0 : k - 1], &right = seen[at_end ? last : k + 1];
    const int sign = at_end ? sign_of(left.value) : sign_of(right.value);
    const S bend = abs(f0 - S(2) * f1 + f2), height = S(sign) * seen[k].value;
    const S rise_left = S(sign) * (S(-3) * f0 + S(4) * f1 - f2) / S(2);
    const S rise_right = S(sign) * (f0 - S(4) * f1 + S(3) * f2) / S(2);
    bool turns = sign != 0 && height >= S(0) && height <= bend;
    if (at_start) turns = turns && height > S(0) && height <= S(sign) * right.value && rise_left <= bend / S(4);
    else if (at_end) turns = turns && height > S(0) && height <= S(sign) * left.value && rise_right >= -bend / S(4);
    else
      turns = turns && sign_of(left.value) == sign && height <= S(sign) * left.value && height <= S(sign) * right.value;
    const std::optional<node> turn = turns ? turn_between(before, left, right, sign, found) : std::nullopt;
    if (turn && turn->part < seen[k].part) nodes.push_back(*turn);
    nodes.push_back(seen[k]);
    if (turn && !(turn->part < seen[k].part)) nodes.push_back(*turn);
  }
}

// The same where the nodes inside are the turns: one that does not reach the other side may lie beside its node.
template <class S>
void section_finder<S>::add_known_turns(const phase_state<S>& before, std::vector<node>& nodes,
                                        section_findings<S>& found) {
  const std::vector<node> seen = nodes;
  nodes.clear();
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const bool is_inside = k > 0 && k + 1 < seen.size();
    const int sign = sign_of(seen[k == 0 ? k : k - 1].value);
    const auto height = [&](std::size_t i) { return S(S(sign) * seen[i].value); };
    const bool may_touch = is_inside && sign != 0 && sign_of(seen[k + 1].value) == sign && height(k) >= S(0) &&
                           height(k) <= height(k - 1) && height(k) <= height(k + 1);
    const std::optional<node> turn =
        may_touch ? turn_between(before, seen[k - 1], seen[k + 1], sign, found) : std::nullopt;
    if (turn && turn->part < seen[k].part) nodes.push_back(*turn);
    nodes.push_back(seen[k]);
    if (turn && !(turn->part < seen[k].part)) nodes.push_back(*turn);
  }
}

template <class S>
bool section_finder<S>::cross(const phase_state<S>& before, const node& left, const node& right,
                              section_findings<S>& found) {
  using std::abs;
  const crossing way = left.value < S(0) ? crossing::up : crossing::down;
  if (direction_ != crossing::both && direction_ != way) return true;
  S last(-1);
  const auto root = root_between<S>(left.part, right.part, left.value, right.value, [&](const S& x) {
    last = x;
    return value_at_end(before, x);
  });
  if (!root || (root->part != last && !value_at_end(before, root->part))) return false;
  // Where a value passes zero, both sides are small beside what is around; at a pole they are larger, at a jump as
  // large.
  const S around = std::max<S>(abs(left.value), abs(right.value));
  const section_point<S> there = end_;
  bool passes = is_finite(root->value) && abs(root->value - root->opposite) <= around / S(1000);
  if (!passes && is_finite(root->value)) {  // or all of it is rounding
    passes = value_at_end(before, left.part > S(0) ? left.part : right.part).has_value() &&
             around <= S(1000) * rounding_at_end(before);
  }
  if (passes) {
    found.crossings.push_back(there);
    return true;
  }
  const bool is_jump = is_finite(root->value) && is_finite(root->opposite) &&
                       std::max<S>(abs(root->value), abs(root->opposite)) <= S(1000) * around;
  if (!counts_jumps_ || !is_jump) {
    ++found.discontinuities;
    return true;
  }
  if (!value_at_end(before, root->later)) return false;  // behind the jump, so that it is not met again
  found.crossings.push_back(end_);
  return true;
}

template <class S>
bool section_finder<S>::search(const phase_state<S>& before, const S& length, const section_step<S>& step,
                               section_findings<S>& found) {
  length_ = length;
  std::vector<node> nodes = sampled(before, step, found);
  if (nodes.empty()) return true;
  if (step.turns) add_known_turns(before, nodes, found);
  else if (step.may_turn && nodes.size() > 2) add_turns(before, nodes, found);
  if (found.ends_on_surface) add_end(before, nodes, found);
  std::erase_if(nodes, [](const node& n) { return sign_of(n.value) == 0; });
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    if (sign_of(nodes[k - 1].value) == sign_of(nodes[k].value)) continue;
    if (!cross(before, nodes[k - 1], nodes[k], found)) return false;
  }
  return true;
}

template <class S>
void section_track<S>::start(const S& value) {
  *this = section_track(direction_);
  values_[2] = value;
}

template <class S>
void section_track<S>::add(const S& value) {
  values_[0] = values_[1];
  values_[1] = values_[2];
  values_[2] = value;
  last_bend_ = bend_;
  bend_ = values_[0] - S(2) * values_[1] + value;
  if (++steps_ == 2) last_bend_ = bend_;
  if (steps_ == 1) first_waits_ = true;
  else last_waits_ = true;
}

template <class S>
void section_track<S>::finish() {
  finished_ = true;
}

template <class S>
std::optional<section_step<S>> section_track<S>::next() {
  using std::abs;
  if (steps_ == 1 && !finished_) return std::nullopt;
  S bend = abs(bend_) + abs(last_bend_);
  if (steps_ == 1 || !is_finite(bend)) bend = std::numeric_limits<double>::infinity();
  while (first_waits_ || last_waits_) {
    searched_first_ = std::exchange(first_waits_, false);
    if (!searched_first_) last_waits_ = false;
    const std::size_t k = searched_first_ && steps_ > 1 ? 0 : 1;
    section_step<S> step{values_[k], values_[k + 1], searched_first_};
    if (is_wanted(step, bend)) return step;
  }
  return std::nullopt;
}

template <class S>
void section_track<S>::settle() {
  values_[searched_first_ && steps_ > 1 ? 1 : 2] = S(0);
}

template <class S>
bool section_track<S>::is_wanted(section_step<S>& step, const S& bend) {
  using std::abs;
  const bool from_finite = is_finite(step.before), to_finite = is_finite(step.after);
  if (from_finite != to_finite) ++borders_;
  if (!from_finite || !to_finite) return false;
  const int from = sign_of(step.before), to = sign_of(step.after);
  if (from == 0 && to == 0) return false;  // the motion stays in the surface
  const S change = abs(step.after - step.before);
  const bool may_start_there = step.is_first && abs(step.before) <= S(1e-8) * change;
  step.may_turn = to == 0 || may_start_there || smaller_size(step.before, step.after) <= bend || change <= S(2) * bend;
  if (from != 0 && to != 0 && from != to) {
    return step.may_turn || direction_ == crossing::both || direction_ == (from < 0 ? crossing::up : crossing::down);
  }
  return to == 0 || smaller_size(step.before, step.after) <= bend;
}

#define ACTIO_INSTANTIATE(S)       \
  template class section_track<S>; \
  template class section_finder<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
