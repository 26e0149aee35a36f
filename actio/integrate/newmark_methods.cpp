#include "actio/integrate/newmark_methods.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "actio/expr/expr.hpp"
#include "actio/expr/print.hpp"
#include "actio/integrate/newmark_step.hpp"

namespace actio {

namespace {

constexpr std::string_view family_name = "newmark-beta";

std::string text_of(const rational& number) { return to_text(expr(number)); }

bool is_default(const newmark_parameters& p) {
  const newmark_parameters usual;
  return p.beta == usual.beta && p.gamma == usual.gamma;
}

// With γ = 1/2 the step from the right end with −h is the same formula; with another γ one order is lost.
method described(const newmark_parameters& p) {
  const bool is_symmetric = p.gamma == rational(1, 2);
  std::string name(family_name);
  if (!is_default(p)) name += fmt::format(":{}:{}", text_of(p.beta), text_of(p.gamma));
  return with_factory(
      needing_lagrangian(
          {.name = std::move(name),
           .aliases = {},
           .traits = {.order = is_symmetric ? 2 : 1, .symmetric = is_symmetric},
           .summary = fmt::format("Newmark's family on (q, v) with beta = {}, gamma = {}: linear momenta kept, angular "
                                  "ones not; beta and gamma choose its members, newmark alone is midpoint",
                                  text_of(p.beta), text_of(p.gamma)),
           .formula =
               "q1 = q0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1), v1 = v0 + h ((1 - gamma) a0 + gamma a1), with a "
               "from the Euler-Lagrange equations at both ends",
           .reference = "newmark1959, marsden1997",
           .why_unheld = "its accelerations have no place for the forces of constraints"}),
      [p]<class S>(const step_context<S>& context) {
        return std::unique_ptr<step_workspace<S>>(std::make_unique<newmark_step<S>>(p.beta, p.gamma, context));
      });
}

}  // namespace

std::vector<method> newmark_methods() { return {described({})}; }

std::optional<rational> newmark_number(std::string_view text) {
  try {
    const std::size_t slash = text.find('/');
    rational value = decimal(text.substr(0, slash)).number();
    if (slash != std::string_view::npos) {
      const rational divisor = decimal(text.substr(slash + 1)).number();
      if (divisor == 0) return std::nullopt;
      value /= divisor;
    }
    return value < 0 ? std::nullopt : std::optional(value);
  } catch (const input_error&) {
    return std::nullopt;
  }
}

const method& newmark_member(const newmark_parameters& p) {
  if (is_default(p)) return *find_method(family_name);
  static std::mutex mutex;
  static std::map<std::pair<rational, rational>, method> members;
  const std::lock_guard lock(mutex);
  const auto place = std::pair(p.beta, p.gamma);
  const auto found = members.find(place);
  return found != members.end() ? found->second
                                : members.emplace(place, refusing_constraints(described(p))).first->second;
}

const method* newmark_member_named(std::string_view name) {
  if (!name.starts_with(family_name) || !name.substr(family_name.size()).starts_with(':')) return nullptr;
  const std::string_view numbers = name.substr(family_name.size() + 1);
  const std::size_t colon = numbers.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const auto beta = newmark_number(numbers.substr(0, colon)), gamma = newmark_number(numbers.substr(colon + 1));
  return beta && gamma ? &newmark_member({*beta, *gamma}) : nullptr;
}

bool takes_newmark_parameters(std::string_view name) { return name == "newmark" || name == family_name; }

}  // namespace actio
