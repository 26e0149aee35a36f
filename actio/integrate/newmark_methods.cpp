// Newmark's family with the parameters β and γ. Its members are methods of their own, with names that say which:
// newmark-beta is β = 1/4, γ = 1/2, and newmark-beta:0.3:0.6 is β = 0.3, γ = 0.6.
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

constexpr const char* family_name = "newmark-beta";

struct newmark_parameters {
  rational beta{1, 4}, gamma{1, 2};
};

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
           .why_unheld = "its accelerations have no place for the forces of constraints",
           .solver = step_solver::newton}),
      [p]<class S>(const step_context<S>& context) {
        return std::unique_ptr<step_workspace<S>>(std::make_unique<newmark_step<S>>(p.beta, p.gamma, context));
      });
}

// Made once and kept: methods are compared by where they stand.
const method& member(const newmark_parameters& p) {
  if (is_default(p)) return *find_method(family_name);
  static std::mutex mutex;
  static std::map<std::pair<rational, rational>, method> members;
  const std::lock_guard lock(mutex);
  const auto place = std::pair(p.beta, p.gamma);
  const auto found = members.find(place);
  return found != members.end() ? found->second
                                : members.emplace(place, refusing_constraints(described(p))).first->second;
}

}  // namespace

std::vector<method> newmark_methods() {
  method family = described({});
  const newmark_parameters usual;
  family.family = {.parameters = {{"beta", usual.beta}, {"gamma", usual.gamma}},
                   .also_of = {"newmark"},
                   .member = [](const std::vector<rational>& v) -> const method& { return member({v[0], v[1]}); }};
  return {std::move(family)};
}

}  // namespace actio
