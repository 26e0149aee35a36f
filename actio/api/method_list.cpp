#include "actio/api/method_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "actio/integrate/stability.hpp"
#include "actio/io/json_report.hpp"
#include "actio/io/text_table.hpp"

namespace actio {

namespace {

std::string mark(bool holds) { return holds ? "yes" : "no"; }

std::string promises(const method_traits& traits) {
  std::string text = fmt::format("order {}", traits.order);
  text += traits.symplectic ? ", symplectic" : ", not symplectic";
  text += traits.symmetric ? ", symmetric in time" : ", not symmetric in time";
  text += traits.conserves_momenta ? ", keeps momenta" : ", does not keep momenta";
  return text + (traits.conserves_energy ? ", keeps energy" : "");
}

}  // namespace

listing list_methods() {
  text_table table(
      {"method", "order", "symplectic", "symmetric", "momenta", "energy", "needs", "summary", "also called"});
  for (const method& m : method_catalogue()) {
    table.add({m.name, std::to_string(m.traits.order), mark(m.traits.symplectic), mark(m.traits.symmetric),
               mark(m.traits.conserves_momenta), mark(m.traits.conserves_energy), m.needs, m.summary,
               fmt::format("{}", fmt::join(m.aliases, ", "))});
  }
  return {table.text(), to_json(method_catalogue())};
}

std::string description(const method& m) {
  std::string text =
      fmt::format("{}: {}\n\n  formula     {}\n  promises    {}\n", m.name, m.summary, m.formula, promises(m.traits));
  if (m.separable_traits) text += fmt::format("  separable   {}\n", promises(*m.separable_traits));
  if (m.chooses_steps) {
    text +=
        "  steps       equal ones; with an accuracy of a chosen length and order, and the error that was asked for\n";
  }
  text += fmt::format("  stability   {}\n", stability_text(m));
  text += fmt::format("  frequency   relative error {}\n", frequency_text(m));
  if (!m.traits.symplectic) text += fmt::format("  amplitude   changes in a step by {}\n", amplitude_text(m));
  text += fmt::format("  constraints {}\n", m.holds_constraints ? "held" : "not held");
  if (!m.needs.empty()) text += fmt::format("  needs       {}\n", m.needs);
  if (!m.aliases.empty()) text += fmt::format("  aliases     {}\n", fmt::join(m.aliases, ", "));
  return text + fmt::format("  references  {}\n", m.reference);
}

}  // namespace actio
