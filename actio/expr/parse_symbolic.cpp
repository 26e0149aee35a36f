// The parser's part about sums that stay sums: their body is read once, with symbols for its indices.
#include <unordered_map>

#include "actio/expr/parser.hpp"

namespace actio {

namespace {

constexpr std::size_t fewest_elements = 256;  // shorter sums are written out

// Thrown where a sum must be written out; never leaves this file.
struct not_symbolic {};
struct too_many_elements {};

// constant + Σ factor · value of an index.
struct affine_index {
  std::int64_t constant = 0;
  std::vector<std::pair<std::size_t, std::int64_t>> factors;

  std::int64_t at(const std::vector<std::int64_t>& values) const {
    std::int64_t sum = constant;
    for (const auto& [k, factor] : factors) sum += factor * values[k];
    return sum;
  }
};

std::int64_t whole_part(const rational& number) {
  if (denominator(number) != 1 || abs(numerator(number)) > most_elements) throw not_symbolic{};
  return static_cast<std::int64_t>(numerator(number));
}

}  // namespace

struct parser::symbolic_reading {
  struct range {
    affine_index first, last;  // without a table
    const index_table* table;
  };
  // An index, or a column of the row that a range stands for.
  struct value {
    std::size_t range;
    std::optional<std::size_t> column;
    expr symbol;
  };
  struct member {
    member_block block;
    std::vector<affine_index> indices;
    expr value, rate;
  };

  std::size_t first_bound;  // where the ranges of the sum begin among what is bound
  std::vector<range> ranges;
  std::vector<value> values;
  std::vector<member> members;
  std::unordered_map<std::string, std::size_t> known;  // members, as they are written

  affine_index affine(const expr& e) const {
    affine_index result;
    std::vector<std::pair<expr, std::int64_t>> left{{e, 1}};
    while (!left.empty()) {
      const auto [part, factor] = std::move(left.back());
      left.pop_back();
      const auto operands = part.operands();
      if (part.is_number()) {
        result.constant += factor * whole_part(part.number());
      } else if (part.op() == operation::symbol) {
        const auto found = std::ranges::find(values, part, &value::symbol);
        if (found == values.end()) throw not_symbolic{};
        result.factors.emplace_back(static_cast<std::size_t>(found - values.begin()), factor);
      } else if (part.op() == operation::add || part.op() == operation::subtract) {
        left.emplace_back(operands[0], factor);
        left.emplace_back(operands[1], part.op() == operation::add ? factor : -factor);
      } else if (part.op() == operation::negate) {
        left.emplace_back(operands[0], -factor);
      } else if (part.op() == operation::multiply && operands[0].is_number()) {
        left.emplace_back(operands[1], factor * whole_part(operands[0].number()));
      } else {
        throw not_symbolic{};
      }
    }
    return result;
  }

  expr symbol_of(std::size_t range, std::optional<std::size_t> column) {
    for (const value& v : values) {
      if (v.range == range && v.column == column) return v.symbol;
    }
    values.push_back({range, column, expr::symbol("(index " + std::to_string(values.size()) + ")")});
    return values.back().symbol;
  }
};

std::optional<std::size_t> parser::symbolic_range(const bound_index& index) const {
  if (symbolic_ == nullptr) return std::nullopt;
  const auto place = static_cast<std::size_t>(&index - bound_.data());
  return place >= symbolic_->first_bound ? std::optional(place - symbolic_->first_bound) : std::nullopt;
}

expr parser::symbolic_index(const bound_index& index, std::size_t range, const token& /*word*/) {
  if (index.table == nullptr) return symbolic_->symbol_of(range, std::nullopt);
  if (!at(token::kind::point)) throw not_symbolic{};
  take();
  const auto& columns = index.table->columns;
  const auto column = std::ranges::find(columns, current_.text);
  if (column == columns.end()) throw not_symbolic{};
  take();
  return symbolic_->symbol_of(range, static_cast<std::size_t>(column - columns.begin()));
}

// The symbols of a member whose indices vary, and of a coordinate that all elements have; nothing for other members
// whose indices are numbers.
std::optional<expr_tuple> parser::symbolic_member(const token& word, const std::vector<expr>& indices, int primes) {
  if (std::ranges::all_of(indices, [](const expr& e) { return e.is_number(); })) {
    const std::optional<member_block> block = names_.sums->block(std::string(word.text));
    if (!block || block->is_parameter || block->extents.size() != indices.size()) return std::nullopt;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const std::int64_t at = symbolic_->affine(indices[d]).constant - block->least[d];
      if (at < 0 || at >= block->extents[d]) return std::nullopt;
    }
  }
  if (primes > 1) throw not_symbolic{};
  std::string written(word.text);
  std::vector<affine_index> affine;
  for (const expr& e : indices) {
    affine.push_back(symbolic_->affine(e));
    written += ' ' + std::to_string(affine.back().constant);
    std::ranges::sort(affine.back().factors);
    for (const auto& [k, factor] : affine.back().factors) written += fmt::format(" {}:{}", k, factor);
    written += ',';
  }
  const auto [at, is_new] = symbolic_->known.try_emplace(written, symbolic_->members.size());
  if (is_new) {
    const std::optional<member_block> block = names_.sums->block(std::string(word.text));
    if (!block || block->extents.size() != indices.size()) throw not_symbolic{};
    const std::string name = "(member " + std::to_string(symbolic_->members.size()) + ")";
    symbolic_->members.push_back(
        {*block, std::move(affine), expr::symbol(name), block->is_parameter ? expr(0) : expr::symbol(name + "'")});
  }
  const auto& found = symbolic_->members[at->second];
  return expr_tuple(primes == 0 ? found.value : found.rate);
}

void parser::read_symbolic_ranges() {
  while (at_range()) {
    const std::string name(current_.text);
    take();
    const bool is_table = at(token::kind::name);
    take();
    symbolic_reading::range range{{}, {}, nullptr};
    if (is_table) {
      if (!at(token::kind::name)) throw not_symbolic{};
      const token word = current_;
      take();
      range.table = table_called(word);
    } else {
      range.first = symbolic_->affine(index_expression());
      if (!at(token::kind::range)) throw not_symbolic{};
      take();
      range.last = symbolic_->affine(index_expression());
    }
    symbolic_->ranges.push_back(range);
    bound_.push_back({name, 0, range.table});
    if (!at(token::kind::comma)) throw not_symbolic{};
    take();
  }
}

namespace {

// Goes through the elements of a sum.
template <class Reading>
class element_walk {
 public:
  element_walk(const Reading& reading, symbolic_sum& sum, std::size_t most)
      : reading_(reading), sum_(sum), most_(most), row_(reading.ranges.size(), 0), values_(reading.values.size(), 0) {
    exact_.resize(values_.size());
    numbers_.resize(reading.members.size());
    const std::vector<expr> used = symbols_in(std::span(&sum.body, 1));
    for (const auto& m : reading.members) sum_.slots.push_back({m.value, m.rate, m.block.is_parameter, {}});
    for (std::size_t k = 0; k < reading.values.size(); ++k) {
      if (std::ranges::find(used, reading.values[k].symbol) == used.end()) continue;
      sum_.columns.push_back({reading.values[k].symbol});
      shown_.push_back(k);
    }
    if (elements_from(0) > most_) throw too_many_elements{};
    visit(0);
  }

  // Rows of indices of the elements that have other members.
  std::vector<std::vector<std::int64_t>> others;

 private:
  // The ends of a range, where those before it have values.
  std::pair<std::int64_t, std::int64_t> ends_of(std::size_t k) const {
    const auto& range = reading_.ranges[k];
    const std::pair<std::int64_t, std::int64_t> ends =
        range.table ? std::pair(std::int64_t{1}, static_cast<std::int64_t>(range.table->rows.size()))
                    : std::pair(range.first.at(values_), range.last.at(values_));
    if (ends.second - ends.first > most_elements) throw not_symbolic{};
    return ends;
  }

  void bind(std::size_t k, std::int64_t i) {
    row_[k] = i;
    for (std::size_t v = 0; v < values_.size(); ++v) {
      if (reading_.values[v].range == k) set(v, reading_.ranges[k].table, i);
    }
  }

  // How many there are, without a visit to each; no more than one beyond the most.
  std::size_t elements_from(std::size_t k) {
    if (k == reading_.ranges.size()) return 1;
    const auto [first, last] = ends_of(k);
    if (last < first) return 0;
    if (k + 1 == reading_.ranges.size()) return static_cast<std::size_t>(last - first + 1);
    std::size_t count = 0;
    for (std::int64_t i = first; i <= last && count <= most_; ++i) {
      bind(k, i);
      count += elements_from(k + 1);
    }
    return count;
  }

  void visit(std::size_t k) {
    if (k == reading_.ranges.size()) return take();
    const auto [first, last] = ends_of(k);
    for (std::int64_t i = first; i <= last; ++i) {
      bind(k, i);
      visit(k + 1);
    }
  }

  void set(std::size_t v, const index_table* table, std::int64_t i) {
    if (table == nullptr) {
      values_[v] = i;
      return;
    }
    const rational& number = table->rows[static_cast<std::size_t>(i - 1)][*reading_.values[v].column];
    exact_[v] = &number;
    values_[v] = denominator(number) == 1 ? static_cast<std::int64_t>(numerator(number)) : outside;
  }

  void take() {
    for (std::size_t m = 0; m < reading_.members.size(); ++m) {
      const auto& member = reading_.members[m];
      std::int64_t place = 0;
      for (std::size_t d = 0; d < member.indices.size(); ++d) {
        const std::int64_t at = member.indices[d].at(values_) - member.block.least[d];
        if (at < 0 || at >= member.block.extents[d]) return put_aside();
        place = place * member.block.extents[d] + at;
      }
      numbers_[m] = member.block.first + static_cast<std::uint32_t>(place);
      for (std::size_t before = 0; before < m; ++before) {
        const bool is_same =
            numbers_[before] == numbers_[m] && reading_.members[before].block.is_parameter == member.block.is_parameter;
        if (is_same && !member.block.is_parameter) return put_aside();
      }
    }
    for (std::size_t m = 0; m < numbers_.size(); ++m) sum_.slots[m].numbers.push_back(numbers_[m]);
    for (std::size_t c = 0; c < shown_.size(); ++c) {
      const rational* const exact = exact_[shown_[c]];
      if (exact != nullptr) sum_.columns[c].numbers.push_back(expr(*exact));
      else sum_.columns[c].whole.push_back(values_[shown_[c]]);
    }
    ++sum_.elements;
  }

  void put_aside() {
    others.push_back(row_);
    if (others.size() > 1024 && others.size() > sum_.elements / 4) throw not_symbolic{};
  }

  static constexpr std::int64_t outside = -(std::int64_t{1} << 40);  // no member has such an index
  const Reading& reading_;
  symbolic_sum& sum_;
  std::size_t most_;
  std::vector<std::int64_t> row_, values_;
  std::vector<const rational*> exact_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> shown_;
};

}  // namespace

// The symbol of a sum that stays one, and what its other elements add; nothing where it is written out.
std::optional<expr_tuple> parser::kept_sum(const token& open) {
  constexpr std::size_t most_kept = 200'000'000;
  if (symbolic_ != nullptr) throw not_symbolic{};  // a sum inside a body
  const lexer begin = lexer_;
  const token first = current_, before = previous_;
  const int depth = nesting_;
  symbolic_reading reading{bound_.size(), {}, {}, {}, {}};
  symbolic_sum sum;
  std::vector<expr_tuple> terms;
  try {
    symbolic_ = &reading;
    read_symbolic_ranges();
    const lexer body = lexer_;
    const token body_first = current_, body_before = previous_;
    const expr_tuple value_of_body = value();
    if (!value_of_body.is_scalar() || !at(token::kind::close)) throw not_symbolic{};
    symbolic_ = nullptr;
    sum.body = value_of_body.scalar();
    element_walk<symbolic_reading> walk(reading, sum, most_kept);
    if (sum.elements < fewest_elements) throw not_symbolic{};
    for (const std::vector<std::int64_t>& row : walk.others) {
      for (std::size_t k = 0; k < row.size(); ++k) bound_[reading.first_bound + k].value = row[k];
      lexer_ = body;
      current_ = body_first;
      previous_ = body_before;
      terms.push_back(value());
    }
    if (!walk.others.empty() && !at(token::kind::close)) throw not_symbolic{};
  } catch (const too_many_elements&) {
    lexer_.fail("too-many-elements", fmt::format("a sum has more than {} elements", most_kept), open,
                "choose smaller sizes");
  } catch (const not_symbolic&) {
    terms.clear();
    sum.elements = 0;
  } catch (const input_error&) {  // said again where the sum is written out, with the element that it is about
    terms.clear();
    sum.elements = 0;
  }
  symbolic_ = nullptr;
  bound_.resize(reading.first_bound);
  nesting_ = depth;
  if (sum.elements == 0) {
    lexer_ = begin;
    current_ = first;
    previous_ = before;
    return std::nullopt;
  }
  close(open);
  sum.symbol = expr::symbol("(sum " + std::to_string(names_.sums->found.size() + 1) + ")");
  expr total = sum.symbol;
  for (const expr_tuple& term : terms) total += term.scalar();
  names_.sums->found.push_back(std::move(sum));
  return expr_tuple(total);
}

}  // namespace actio
