// actio explain NAME: a method, a problem, a command, an option, an error, a paper, or a word of the language of
// models, from where each is described; `actio explain language` prints the reference of that language.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "actio/api/language_reference.hpp"
#include "actio/base/option_naming.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "papers/paper.hpp"
#include "problems/problem_list.hpp"

namespace actio::cli {

namespace {

using explanation = std::optional<std::string>;

explanation method_explained(const std::string& name) {
  const method* m = find_method(name);
  if (m == nullptr) return {};
  std::string text = name == m->name ? "" : fmt::format("'{}' is another name of {}.\n", name, m->name);
  if (const method* named = family_named(name); named != nullptr && named != m) {
    text +=
        fmt::format("With --beta or --gamma it is a member of Newmark's family: 'actio explain {}'.\n", named->name);
  }
  return text + description(*m) + fmt::format("\n'actio verify {}' measures what it promises.\n", m->name);
}

explanation problem_explained(const std::string& name) {
  const problem* p = find_problem(name);
  return p == nullptr ? explanation() : description(*p);
}

explanation command_explained(const std::string& name) {
  const command* c = find_command(name);
  return c == nullptr ? explanation() : help_text(*c);
}

explanation option_explained(const std::string& name) {
  const option_descriptor* option = find_option(name.starts_with("--") ? name.substr(2) : name);
  if (option == nullptr) return {};
  std::string text = fmt::format("--{} {}\n\n{}\n", option->name, option->metavar, named_options(option->sentence));
  if (!option->default_value.empty()) text += fmt::format("Default: {}.\n", option->default_value);
  text += fmt::format("Option of: {}.\n", option->commands);
  return option->in_model ? text + fmt::format("In a model file: {} = ... in the table [run].\n", option->name) : text;
}

explanation error_explained(const std::string& name) {
  for (const error_entry& entry : error_catalogue()) {
    if (entry.id == name) return fmt::format("{}\n\n{}\n", entry.id, entry.meaning);
  }
  return {};
}

explanation language_explained(const std::string& name) {
  return name == "language" ? language_page() : explained_word(name);
}

explanation paper_explained(const std::string& name) {
  const auto found = std::ranges::find(paper_catalogue(), name, &paper::key);
  if (found == paper_catalogue().end()) return {};
  const nlohmann::json published = nlohmann::json::parse(found->published());
  std::string text;
  for (const char* part : {"title", "authors", "reference", "summary"}) {
    if (published.contains(part) && published[part].is_string()) {
      text += published[part].get<std::string>() + "\n";
    }
  }
  return fmt::format("{}\n\n{}\n'actio reproduce {}' does its tables and figures again.\n", name, text, name);
}

std::vector<std::string> topics() {
  std::vector<std::string> names;
  for (const method& m : method_catalogue()) {
    names.push_back(m.name);
    names.insert(names.end(), m.aliases.begin(), m.aliases.end());
  }
  for (const problem& p : problem_catalogue()) names.emplace_back(p.name);
  for (const command& c : command_catalogue()) names.emplace_back(c.name);
  for (const option_descriptor& option : option_catalogue()) names.emplace_back(option.name);
  for (const error_entry& entry : error_catalogue()) names.emplace_back(entry.id);
  for (const paper& p : paper_catalogue()) names.emplace_back(p.key);
  for (const std::string& word : language_topics()) names.push_back(word);
  names.emplace_back("language");
  return names;
}

}  // namespace

int explain_command(const command_input& input) {
  const source_text& topic = input.arguments.front();
  std::string all;  // a word may be an option and a function, as `step` is
  for (const auto explained : {method_explained, problem_explained, command_explained, option_explained,
                               error_explained, paper_explained, language_explained}) {
    const explanation text = explained(topic.text);
    if (text) all += (all.empty() ? "" : "\n") + *text;
  }
  if (!all.empty()) {
    print_text(all);
    return exit_done;
  }
  const std::string near = nearest_name(topic.text, topics());
  throw input_error(
      "unknown-topic", fmt::format("nothing is known about '{}'", topic.text), topic.origin,
      near.empty()
          ? "give the name of a method, a problem, a command, an option, an error, a paper, a function or a table"
          : fmt::format("did you mean '{}'?", near));
}

}  // namespace actio::cli
