#include "actio/api/language_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/base/error.hpp"
#include "actio/base/option.hpp"
#include "actio/expr/language.hpp"
#include "actio/mechanics/model_language.hpp"

namespace actio {

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of('\n'), text.size());
  const std::size_t end = text.find_last_not_of('\n');
  return end == std::string_view::npos ? "" : std::string(text.substr(begin, end + 1 - begin));
}

template <class Word>
std::string table_row(const Word& w) {
  std::string usage(w.usage);
  for (std::size_t at = 0; (at = usage.find('|', at)) != std::string::npos; at += 2) usage.insert(at, "\\");
  return fmt::format("| `{}` | {} | `{}` = `{}` |\n", usage, w.sentence, w.example, w.value);
}

std::string title_of(const model_table& t) {
  return t.name.empty() ? "Above all tables" : fmt::format("`[{}]`", t.name);
}

template <class Word>
std::string explained_expression(const Word& w) {
  return fmt::format("{}\n\n{}\n\n  {} = {}\n", w.usage, w.sentence, w.example, w.value);
}

std::string explained_table(const model_table& t) {
  std::string text = fmt::format("[{}]\n\n{}\n\n", t.name, t.sentence);
  for (const model_key& key : t.keys) text += fmt::format("  {:<14} {}\n", key.name, key.sentence);
  return text + "\n" + trimmed(t.example) + "\n";
}

}  // namespace

std::string language_page() {
  std::string page =
      "# The language of models\n\n"
      "Made by `tools/make_language_reference.sh` from the tables by which models are read, checked and explained. "
      "Every\n"
      "example here is run by the tests: each expression beside the value that it has for every t > 0, and each "
      "model.\n"
      "`actio explain NAME` says the same about one word.\n\n"
      "Numbers keep their decimal value at the precision of the run. Names are made of letters, digits and `_`. Names "
      "of\n"
      "functions are functions before a parenthesis; most may be names of coordinates and parameters as well, and so\n"
      "may `deg`, `and`, `or` and `not`. Where a function has a kink or jumps, its derivatives are those of the piece "
      "on\n"
      "which it is; steps can end on these places.\n\n"
      "## Operators, constants and units\n\n| written | meaning | example |\n|---|---|---|\n";
  for (const language_word& w : language_words()) page += table_row(w);
  page += "\n## Functions\n\n| written | meaning | example |\n|---|---|---|\n";
  for (const language_function& f : language_functions()) page += table_row(f);
  page += "\nReserved, so that nothing else can have their names:";
  for (const language_function& f : language_functions()) {
    if (f.type == language_function::kind::reserved) page += fmt::format(" `{}`", f.name);
  }
  page += ", `pi`, `t`.\n\n## Tables and keys\n";
  for (const model_table& t : model_tables()) {
    page += fmt::format("\n### {}\n\n{}\n\n| key | meaning |\n|---|---|\n", title_of(t), t.sentence);
    for (const model_key& key : t.keys) page += fmt::format("| `{}` | {} |\n", key.name, key.sentence);
    if (t.name == "run") {
      for (const option_descriptor* option : options_in_model()) {
        page += fmt::format("| `{}` | {} |\n", option->name, option->sentence);
      }
    }
    page += fmt::format("\n```toml\n{}\n```\n", trimmed(t.example));
  }
  page += "\n## Errors\n\n| id | meaning |\n|---|---|\n";
  for (const error_entry& entry : error_catalogue()) page += fmt::format("| `{}` | {} |\n", entry.id, entry.meaning);
  return page;
}

std::optional<std::string> explained_word(std::string_view word) {
  std::string text;
  for (const language_function& f : language_functions()) {
    if (f.name == word) text += (text.empty() ? "" : "\n") + explained_expression(f);
  }
  for (const language_word& w : language_words()) {
    if (w.name == word) text += explained_expression(w);
  }
  if (!text.empty()) return text;
  if (word.starts_with('[') && word.ends_with(']')) word = word.substr(1, word.size() - 2);
  if (word.empty()) return std::nullopt;
  if (const model_table* t = find_model_table(word)) return explained_table(*t);
  for (const model_table& t : model_tables()) {
    for (const model_key& key : t.keys) {
      if (key.name != word || key.name == "NAME") continue;
      const std::string where = t.name.empty() ? "above all tables" : fmt::format("in [{}]", t.name);
      text += fmt::format("{}{}, {}\n\n{}\n", text.empty() ? "" : "\n", key.name, where, key.sentence);
    }
  }
  if (text.empty()) return std::nullopt;
  return text;
}

std::vector<std::string> language_topics() {
  std::vector<std::string> topics;
  for (const language_function& f : language_functions()) topics.emplace_back(f.name);
  for (const language_word& w : language_words()) topics.emplace_back(w.name);
  for (const model_table& t : model_tables()) {
    if (!t.name.empty()) topics.emplace_back(t.name.substr(0, t.name.find('.')));
    for (const model_key& key : t.keys) {
      if (key.name != "NAME") topics.emplace_back(key.name);
    }
  }
  return topics;
}

}  // namespace actio
