// The parser's part about indices.
#include <charconv>
#include <span>
#include <unordered_map>

#include "actio/expr/parser.hpp"
#include "actio/expr/print.hpp"

namespace actio {

std::int64_t parser::whole_number() {
  take();
  const std::int64_t result = index();
  if (current_.type != token::kind::end) fail_after_value();
  return result;
}

indexed_key parser::key() {
  take();
  if (!at(token::kind::name)) fail_without_value();
  indexed_key result{std::string(current_.text), {}};
  take();
  if (at(token::kind::end)) return result;
  if (!at(token::kind::open_index)) fail_after_value();
  const token open = current_;
  do {
    take();
    result.ranges.push_back(range_of_key());
  } while (at(token::kind::comma));
  close_index(open);
  if (!at(token::kind::end)) fail_after_value();
  return result;
}

const bound_index* parser::bound_to(std::string_view name) const {
  const auto found = std::find_if(bound_.rbegin(), bound_.rend(), [&](const auto& b) { return b.name == name; });
  return found == bound_.rend() ? nullptr : &*found;
}
std::optional<std::int64_t> parser::size_called(std::string_view name) const {
  if (names_.indices == nullptr) return std::nullopt;
  const auto found = names_.indices->sizes.find(name);
  return found == names_.indices->sizes.end() ? std::nullopt : std::optional(found->second);
}

// An index, or e.a for the column a of the row e.
expr parser::value_of(const bound_index& index, const token& word) {
  if (const std::optional<std::size_t> range = symbolic_range(index)) return symbolic_index(index, *range, word);
  if (index.table == nullptr) return expr(rational(index.value));
  const auto& columns = index.table->columns;
  const std::string example = columns.empty() ? "a" : columns.front();
  if (!at(token::kind::point)) {
    lexer_.fail("bad-index", fmt::format("{} is a row of the table '{}' and no number", shown(word), index.table->name),
                word, fmt::format("take one of its columns, as in {}.{}", word.text, example));
  }
  take();
  const auto column = std::ranges::find(columns, current_.text);
  if (column == columns.end()) {
    lexer_.fail("bad-index", fmt::format("the table '{}' has no column {}", index.table->name, shown(current_)),
                current_, suggest(std::string(current_.text), columns));
  }
  take();
  const auto k = static_cast<std::size_t>(column - columns.begin());
  return expr(index.table->rows[static_cast<std::size_t>(index.value - 1)][k]);
}

expr parser::index_expression() {
  const token first = current_;
  const expr_tuple given = sum();
  if (given.is_scalar()) return given.scalar();
  lexer_.fail("bad-index", "an index is no number", first,
              "indices are whole numbers made of numbers, sizes and other indices");
}

// What numbers, indices and sizes make.
std::int64_t parser::index() {
  const token first = current_;
  return whole_value(first, expr_tuple(index_expression()));
}

std::int64_t parser::whole_value(const token& first, const expr_tuple& given) {
  const bool is_number = given.is_scalar() && given.scalar().is_number();
  if (!is_number || denominator(given.scalar().number()) != 1) {
    lexer_.fail("bad-index",
                is_number ? fmt::format("an index is {}", to_text(given.scalar())) : "an index is no number", first,
                "indices are whole numbers made of numbers, sizes and other indices");
  }
  const auto value = numerator(given.scalar().number());
  if (abs(value) > most_elements) {
    lexer_.fail("too-many-elements", fmt::format("the index {} is too large", value.str()), first,
                fmt::format("at most {} elements are possible", most_elements));
  }
  return static_cast<std::int64_t>(value);
}

// q[i+1], with its primes behind the bracket.
expr_tuple parser::member(const token& word) {
  const token open = current_;
  std::vector<std::int64_t> indices;
  std::vector<expr> written;
  std::vector<token> places;
  do {
    take();
    places.push_back(current_);
    written.push_back(index_expression());
  } while (at(token::kind::comma));
  const int primes = close_index(open);
  if (symbolic_ != nullptr) {
    if (auto kept = symbolic_member(word, written, primes)) return *kept;
  }
  for (std::size_t k = 0; k < written.size(); ++k) indices.push_back(whole_value(places[k], expr_tuple(written[k])));
  return names_.resolve({member_name(word.text, indices), primes, lexer_.place_of(word)});
}

// How many primes stand behind.
int parser::close_index(const token& open) {
  if (at(token::kind::end)) lexer_.fail("expression-syntax", "this '[' is never closed", open, "add the missing ']'");
  if (!at(token::kind::close_index)) fail_after_value();
  take();
  return previous_.primes;
}

// Whether a range begins here: a name before = or in.
bool parser::at_range() const {
  if (!at(token::kind::name)) return false;
  lexer ahead = lexer_;
  const token next = ahead.next();
  return next.type == token::kind::assign || (next.type == token::kind::name && next.text == "in");
}

index_range parser::range() {
  index_range result{std::string(current_.text), 0, -1, nullptr};
  take();
  const bool is_table = at(token::kind::name);
  take();
  if (is_table) {
    if (!at(token::kind::name)) fail_without_value();
    const token word = current_;
    take();
    result.table = table_called(word);
    result.first = 1;
    result.last = static_cast<std::int64_t>(result.table->rows.size());
    return result;
  }
  result.first = index();
  if (!at(token::kind::range)) {
    lexer_.fail("bad-index", "a range has two ends, found " + shown(current_), current_, "write i = 1..n");
  }
  take();
  result.last = index();
  return result;
}

// Of a key: also 1..n without a name, and a single member.
index_range parser::range_of_key() {
  if (at_range()) return range();
  index_range result{"", index(), 0, nullptr};
  result.last = result.first;
  if (!at(token::kind::range)) return result;
  take();
  result.last = index();
  return result;
}

const index_table* parser::table_called(const token& word) {
  std::vector<std::string> known;
  if (names_.indices != nullptr) {
    const auto found = names_.indices->tables.find(word.text);
    if (found != names_.indices->tables.end()) return &found->second;
    for (const auto& [name, table] : names_.indices->tables) known.push_back(name);
  }
  lexer_.fail("unknown-table", "the model has no table " + shown(word), word,
              known.empty() ? fmt::format("add [tables.{}] with columns and rows", word.text)
                            : suggest(std::string(word.text), known));
}

expr_tuple parser::indexed_sum() {
  const nested level(*this);
  const token open = current_;
  take();
  if (!at_range()) {
    lexer_.fail("bad-index", "a sum begins with a range", current_, "write sum(i = 1..n, ...) or sum(e in table, ...)");
  }
  if (names_.sums != nullptr || symbolic_ != nullptr) {
    if (auto kept = kept_sum(open)) return *kept;
  }
  std::vector<expr_tuple> terms;
  add_terms(terms);
  close(open);
  if (terms.empty()) return expr(0);
  for (std::size_t count = terms.size(); count > 1; count = (count + 1) / 2) {  // in pairs: depth is no matter then
    for (std::size_t k = 0; k + 1 < count; k += 2) {
      auto joined = actio::sum(terms[k], terms[k + 1]);
      if (!joined) fail_sum(lexer_, open, terms[k], terms[k + 1]);
      terms[k / 2] = std::move(*joined);
    }
    if (count % 2 == 1) terms[count / 2] = std::move(terms[count - 1]);
  }
  return terms.front();
}

void parser::fail_long_sum(const token& word) {
  lexer_.fail("too-many-elements", fmt::format("sums have more than {} terms", most_terms), word,
              "choose smaller sizes");
}

// Reads what follows once for each value of the range that begins here, or once where none does.
void parser::add_terms(std::vector<expr_tuple>& terms) {
  if (!at_range()) {
    const token first = current_;
    terms.push_back(value());
    require_number(first, terms.back());
    return;
  }
  const token word = current_;
  const index_range r = range();
  if (terms.size() + static_cast<std::size_t>(r.count()) > most_terms) {
    fail_long_sum(word);
  }
  if (!at(token::kind::comma)) {
    lexer_.fail("expression-syntax", "expected ',' behind the range, found " + shown(current_), current_,
                "write sum(i = 1..n, ...)");
  }
  take();
  const lexer begin = lexer_;
  const token first = current_, before = previous_;
  if (r.count() == 0) return skip_argument();
  bound_.push_back({r.name, r.first, r.table});
  for (std::int64_t k = r.first; k <= r.last; ++k) {
    lexer_ = begin;
    current_ = first;
    previous_ = before;
    bound_.back().value = k;
    if (++readings_ > most_terms) fail_long_sum(word);
    add_terms(terms);
    if (!at(token::kind::close)) fail_after_value();
  }
  bound_.pop_back();
}

// To the parenthesis that closes what is open here.
void parser::skip_argument() {
  for (int depth = 0; !at(token::kind::end) && (depth > 0 || !at(token::kind::close)); take()) {
    if (at(token::kind::open)) ++depth;
    if (at(token::kind::close)) --depth;
  }
}

std::string member_name(std::string_view base, const std::vector<std::int64_t>& indices) {
  return fmt::format("{}[{}]", base, fmt::join(indices, ","));
}

namespace {

// The part of a name before its indices, which go to `indices`: all of it, and none, where it is no member.
std::string_view base_and_indices(std::string_view name, std::vector<std::int64_t>& indices) {
  indices.clear();
  const std::size_t open = name.find('[');
  if (open == std::string_view::npos || !name.ends_with(']')) return name;
  for (std::size_t at = open; name[at] != ']';) {
    const char* const first = name.data() + at + 1;
    const auto [end, problem] = std::from_chars(first, name.data() + name.size(), indices.emplace_back());
    if (problem != std::errc()) return indices.clear(), name;
    at = static_cast<std::size_t>(end - name.data());
  }
  return name.substr(0, open);
}

}  // namespace

member_parts parts_of_member(std::string_view name) {
  member_parts result;
  result.base = base_and_indices(name, result.indices);
  return result;
}

namespace {

// How many members along each index, where names of one base are a box row by row; nothing otherwise.
std::vector<std::size_t> extents_of(std::span<const std::string> names) {
  std::vector<std::int64_t> least, most, at;
  base_and_indices(names.front(), least);
  base_and_indices(names.back(), most);
  if (least.empty()) return {};
  std::vector<std::size_t> extents;
  std::size_t count = 1;
  for (std::size_t k = 0; k < least.size(); ++k) {
    if (most.size() != least.size() || most[k] < least[k]) return {};
    extents.push_back(static_cast<std::size_t>(most[k] - least[k]) + 1);
    if (extents.back() > names.size()) return {};
    count *= extents.back();
  }
  if (count != names.size()) return {};
  std::vector<std::int64_t> expected = least;
  for (const std::string& name : names) {
    base_and_indices(name, at);
    if (at != expected) return {};
    for (std::size_t k = expected.size(); k-- > 0;) {
      if (++expected[k] <= most[k]) break;
      expected[k] = least[k];
    }
  }
  return extents;
}

}  // namespace

std::vector<name_block> blocks_of_names(const std::vector<std::string>& names) {
  struct row {  // names of one base that stand together
    std::string_view base;
    std::size_t first, count;
  };
  std::vector<row> rows;
  std::vector<std::int64_t> indices;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string_view base = base_and_indices(names[k], indices);
    if (!rows.empty() && rows.back().base == base) ++rows.back().count;
    else rows.push_back({base, k, 1});
  }
  std::unordered_map<std::string_view, std::size_t> rows_of;  // how many a base has
  for (const row& r : rows) ++rows_of[r.base];
  std::vector<name_block> blocks;
  for (const row& r : rows) {
    std::vector<std::size_t> extents;
    if (rows_of[r.base] == 1) extents = extents_of(std::span(names).subspan(r.first, r.count));
    if (!extents.empty()) {
      blocks.push_back({std::string(r.base), r.first, r.count, std::move(extents)});
      continue;
    }
    for (std::size_t k = r.first; k < r.first + r.count; ++k) blocks.push_back({names[k], k, 1, {}});
  }
  return blocks;
}

namespace {

tuple_names only_indices(const index_names& names) {
  return {[](const parsed_name& name) -> expr_tuple {
            throw input_error("bad-index", "'" + name.name + "' is no size", name.place,
                              "indices are whole numbers made of numbers and sizes");
          },
          [](const expr&, const parsed_name&) -> expr { return expr(0); },
          {},
          &names};
}

}  // namespace

indexed_key parse_indexed_key(const source_text& key, const index_names& names) {
  return parser(key, only_indices(names)).key();
}

std::int64_t parse_whole(const source_text& source, const index_names& names) {
  return parser(source, only_indices(names)).whole_number();
}

}  // namespace actio
