#include "actio/io/report_references.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "actio/io/report_template.hpp"

namespace actio {

namespace {

// Accents of LaTeX as combining characters, which stand behind their letter: \"a, \c{c}.
std::string_view combining_mark(char accent) {
  switch (accent) {
    case '"': return "\u0308";
    case '\'': return "\u0301";
    case '`': return "\u0300";
    case '^': return "\u0302";
    case '~': return "\u0303";
    case 'c': return "\u0327";
    case 'v': return "\u030c";
    default: return "";
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string without_latex(std::string_view field) {
  std::string text;
  std::string_view mark;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] == '\\' && i + 1 < field.size()) {
      mark = combining_mark(field[++i]);
      if (mark.empty()) text += field[i];
    } else if (field[i] != '{' && field[i] != '}') {
      text += field[i];
      text += mark;
      mark = "";
    }
  }
  replace_all(text, "---", "—");
  replace_all(text, "--", "–");
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(trimmed(text));
  return parts;
}

// "Marsden, Jerrold E." as "Jerrold E. Marsden".
std::string in_natural_order(std::string_view author) {
  const std::vector<std::string_view> parts = split(author, ",");
  return without_latex(parts.size() < 2 ? std::string(author) : std::string(parts[1]) + " " + std::string(parts[0]));
}

// The text between the brace at `open` and its partner; `open` moves behind it.
std::string_view in_braces(std::string_view text, std::size_t& open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] != '}' || --depth > 0) continue;
    const std::string_view inside = text.substr(open + 1, i - open - 1);
    open = i + 1;
    return inside;
  }
  open = text.size();
  return "";
}

using field_map = std::map<std::string, std::string, std::less<>>;

// "name = {value}, ..."
field_map fields_of(std::string_view entry) {
  field_map fields;
  std::size_t at = 0;
  for (std::size_t equals = entry.find('='); equals != std::string_view::npos; equals = entry.find('=', at)) {
    std::string_view name = trimmed(entry.substr(at, equals - at));
    while (!name.empty() && (name.front() == ',' || std::isspace(static_cast<unsigned char>(name.front())))) {
      name.remove_prefix(1);
    }
    at = entry.find('{', equals);
    if (at == std::string_view::npos) break;
    fields.emplace(name, in_braces(entry, at));
  }
  return fields;
}

// "Acta Numerica 10, 357–514".
std::string venue_of(field_map& fields) {
  std::string venue;
  for (const char* name : {"journal", "booktitle", "publisher", "note"}) {
    if (venue.empty()) venue = fields[name];
  }
  if (!fields["volume"].empty()) venue += " " + fields["volume"];
  if (!fields["pages"].empty()) venue += ", " + fields["pages"];
  return without_latex(venue);
}

cited_work work_of(std::string_view key, field_map fields) {
  cited_work work{std::string(key), {},           without_latex(fields["title"]), venue_of(fields),
                  fields["year"],   fields["doi"]};
  for (std::string_view author : split(fields["author"], " and ")) work.authors.push_back(in_natural_order(author));
  return work;
}

}  // namespace

std::vector<cited_work> parse_references(std::string_view bibtex) {
  std::vector<cited_work> works;
  for (std::size_t at = bibtex.find("\n@"); at != std::string_view::npos; at = bibtex.find("\n@", at)) {
    at = bibtex.find('{', at);
    if (at == std::string_view::npos) break;
    const std::string_view entry = in_braces(bibtex, at);
    const std::size_t comma = std::min(entry.find(','), entry.size());
    works.push_back(work_of(trimmed(entry.substr(0, comma)), fields_of(entry.substr(comma))));
  }
  return works;
}

std::vector<cited_work> cited_works(std::string_view keys) {
  static const std::vector<cited_work> known = parse_references(references_text());
  std::vector<cited_work> works;
  for (std::string_view key : split(keys, ",")) {
    const auto found = std::ranges::find(known, key, &cited_work::key);
    if (found != known.end()) works.push_back(*found);
  }
  return works;
}

}  // namespace actio
