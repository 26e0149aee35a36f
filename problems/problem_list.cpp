#include "problems/problem_list.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "actio/io/text_table.hpp"

namespace actio {

listing list_problems() {
  using json = nlohmann::ordered_json;
  text_table table({"problem", "exact solution", "summary"});
  json problems = json::array();
  for (const problem& p : problem_catalogue()) {
    table.add({std::string(p.name), p.exact ? "yes" : "no", std::string(p.summary)});
    problems.push_back(
        {{"name", p.name}, {"summary", p.summary}, {"source", p.source}, {"exact", static_cast<bool>(p.exact)}});
  }
  return {table.text(), json{{"problems", problems}}.dump(2) + "\n"};
}

std::string description(const problem& p) {
  std::string text = fmt::format("{}: {}\n\n  source          {}\n  exact solution  {}\n", p.name, p.summary, p.source,
                                 p.exact ? "known" : "not known");
  if (p.exact) {
    const exact_answer<double> answer = p.exact.answer<double>(load_model(p.name));
    if (answer.period) text += fmt::format("  period          {} ({})\n", *answer.period, answer.repeats);
  }
  return fmt::format("{}\n{}{}", text, p.text, p.text.ends_with('\n') ? "" : "\n");
}

}  // namespace actio
