#include "actio/expr/tree_writer.hpp"

#include "actio/expr/print.hpp"

namespace actio {

namespace {

bool is_sum(const expr& e) { return e.op() == operation::add || e.op() == operation::subtract; }

void cut(std::string& text) {
  std::size_t length = max_printed_length;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  text.resize(length);
  text += "…";
}

}  // namespace

std::string written(const expr& e, layout (*layout_of)(const expr&), const char* open, const char* close) {
  std::string text;
  std::vector<piece> pending = {piece(e, binding::sum)};
  while (!pending.empty()) {
    const piece next = std::move(pending.back());
    pending.pop_back();
    if (next.e == nullptr) {
      text += next.text;
      if (text.size() > max_printed_length) {
        cut(text);
        return text;
      }
      continue;
    }
    layout parts = layout_of(*next.e);
    const bool enclosed = parts.strength < next.needed;
    if (enclosed) pending.emplace_back(close);
    for (auto part = parts.pieces.rbegin(); part != parts.pieces.rend(); ++part) pending.push_back(std::move(*part));
    if (enclosed) pending.emplace_back(open);
  }
  return text;
}

std::pair<const expr*, const expr*> printed_operands(const expr& e) {
  const expr& a = e.operands()[0];
  const expr& b = e.operands()[1];
  const bool swap = (e.op() == operation::add && is_sum(b) && !is_sum(a)) ||
                    (e.op() == operation::multiply && b.op() == operation::multiply && a.op() != operation::multiply &&
                     a.op() != operation::divide && !a.is_number());
  return swap ? std::pair(&b, &a) : std::pair(&a, &b);
}

const expr& first_factor(const expr& e) {
  const expr* first = &e;
  while (binding_of(*first) == binding::product) {
    first = first->op() == operation::negate ? &first->operands()[0] : printed_operands(*first).first;
  }
  return *first;
}

binding binding_of(const expr& e) {
  switch (e.op()) {
    case operation::add:
    case operation::subtract: return binding::sum;
    case operation::multiply:
    case operation::divide: return binding::product;
    case operation::negate: {
      const operation inner = e.operands()[0].op();
      return inner == operation::multiply || inner == operation::divide ? binding::product : binding::sign;
    }
    case operation::power: return binding::power;
    default: return binding::atom;
  }
}

}  // namespace actio
