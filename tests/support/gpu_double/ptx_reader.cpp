#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "tests/support/gpu_double/ptx.hpp"

namespace gpu_double {

namespace {

std::string_view trimmed(std::string_view s) {
  const auto begin = s.find_first_not_of(" \t\n\r");
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(" \t\n\r") - begin + 1);
}

// Parts between commas; braces, brackets and parentheses hold together.
std::vector<std::string> parts_of(std::string_view s) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k <= s.size(); ++k) {
    const char c = k < s.size() ? s[k] : ',';
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (c != ',' || (depth > 0 && k < s.size())) continue;
    if (const auto part = trimmed(s.substr(begin, k - begin)); !part.empty()) parts.emplace_back(part);
    begin = k + 1;
  }
  return parts;
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    words.emplace_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool is_any(const std::string& word, std::initializer_list<const char*> of) {
  return std::any_of(of.begin(), of.end(), [&](const char* one) { return word == one; });
}

std::string without_comments(std::string_view text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text.substr(k, 2) == "//") k = std::min(text.find('\n', k), text.size() - 1);
    result += text[k];
  }
  return result;
}

class reader {
 public:
  explicit reader(std::string_view text) : text_(without_comments(text)) {}

  std::unique_ptr<program> read() {
    while (skip_space()) read_top();
    for (auto& [caller, place, name] : calls_) {
      const auto callee = std::find_if(result_->functions.begin(), result_->functions.end(),
                                       [&, n = name](const function& f) { return f.name == n; });
      if (callee == result_->functions.end()) throw std::runtime_error("no function " + name);
      result_->functions[caller].body[place].target = static_cast<std::size_t>(callee - result_->functions.begin());
    }
    return std::move(result_);
  }

 private:
  bool skip_space() {
    at_ = std::min(text_.find_first_not_of(" \t\n\r", at_), text_.size());
    return at_ < text_.size();
  }
  std::string until(char end) {
    const std::size_t stop = std::min(text_.find(end, at_), text_.size());
    std::string part(trimmed(std::string_view(text_).substr(at_, stop - at_)));
    at_ = std::min(stop + 1, text_.size());
    return part;
  }
  [[noreturn]] static void refuse(const std::string& what) { throw std::runtime_error("not understood: " + what); }

  void read_top() {
    const std::string_view rest = std::string_view(text_).substr(at_);
    if (rest.starts_with(".version") || rest.starts_with(".address_size")) {
      until('\n');
    } else if (rest.starts_with(".target")) {
      const std::string line = until('\n');
      result_->target = std::atoi(line.substr(line.find("sm_") + 3).c_str());
    } else if (rest.starts_with(".global") || rest.starts_with(".const") || rest.starts_with(".visible .global") ||
               rest.starts_with(".visible .const")) {
      read_table(until(';'));
    } else if (rest.starts_with(".func") || rest.starts_with(".visible") || rest.starts_with(".entry")) {
      read_function();
    } else {
      refuse(std::string(rest.substr(0, 60)));
    }
  }

  // ".global .align 8 .b8 name[24] = {…}"; without values it is filled from outside.
  void read_table(const std::string& line) {
    const std::size_t bracket = line.find('['), values = line.find('{');
    if (bracket == std::string::npos || line.find(".b8 ") == std::string::npos) refuse(line);
    const std::size_t space = line.find_last_of(" \t", bracket);
    std::vector<unsigned char>& table = result_->tables[line.substr(space + 1, bracket - space - 1)];
    if (values == std::string::npos) {
      table.resize(static_cast<std::size_t>(std::atoi(line.c_str() + bracket + 1)), 0xff);
      return;
    }
    for (const std::string& value : parts_of(std::string_view(line).substr(values + 1, line.find('}') - values - 1))) {
      table.push_back(static_cast<unsigned char>(std::atoi(value.c_str())));
    }
  }

  // The names behind ".param": "[.align 16] .b8 name[16]".
  static std::string name_in(std::string_view declaration) {
    std::string_view name = trimmed(declaration);
    name = name.substr(0, name.find('['));
    return std::string(name.substr(name.find_last_of(" \t\n") + 1));
  }

  void read_function() {
    function f;
    const std::size_t brace = text_.find('{', at_), semicolon = text_.find(';', at_);
    const std::string head = text_.substr(at_, std::min(brace, semicolon) - at_);
    at_ = std::min(brace, semicolon) + 1;
    if (semicolon < brace) return;  // declared, and written later
    f.is_kernel = head.find(".entry") != std::string::npos;
    if (const auto limit = head.find(".maxntid "); limit != std::string::npos) {
      f.block_size = std::atoi(head.c_str() + limit + 9);
    }
    std::string_view rest =
        trimmed(std::string_view(head).substr(head.find(f.is_kernel ? ".entry" : ".func") + (f.is_kernel ? 6 : 5)));
    if (rest.starts_with("(")) {
      f.returns = true;
      f.formal.push_back(name_in(rest.substr(1, rest.find(')') - 1)));
      rest = trimmed(rest.substr(rest.find(')') + 1));
    }
    f.name = trimmed(rest.substr(0, rest.find('(')));
    for (const std::string& one : parts_of(rest.substr(rest.find('(') + 1, rest.rfind(')') - rest.find('(') - 1))) {
      f.formal.push_back(name_in(one));
    }
    f.memories = f.formal;
    registers_.clear();
    labels_.clear();
    branches_.clear();
    f_ = &f;
    read_body();
    for (const auto& [place, label] : branches_) {
      if (!labels_.contains(label)) refuse("label " + label);
      f.body[place].target = labels_.at(label);
    }
    f.registers = registers_.size();
    result_->functions.push_back(std::move(f));
  }

  void read_body() {
    for (int depth = 1; depth > 0;) {
      if (!skip_space()) refuse("end of text");
      if (text_[at_] == '{' || text_[at_] == '}') {
        depth += text_[at_++] == '{' ? 1 : -1;
        continue;
      }
      const std::size_t colon = text_.find(':', at_), end = text_.find(';', at_);
      if (text_[at_] == '$' && colon < end) {
        labels_[until(':')] = f_->body.size();
        continue;
      }
      read_statement(until(';'));
    }
  }

  void read_statement(const std::string& line) {
    if (line.starts_with(".reg")) return;
    if (line.starts_with(".local")) {
      local_name_ = name_in(line);
      f_->local_bytes = static_cast<std::size_t>(std::atoi(line.substr(line.find('[') + 1).c_str()));
      return;
    }
    if (line.starts_with(".param")) {
      memory_named(name_in(line));
      return;
    }
    instruction i{};
    std::string_view rest = line;
    if (rest.starts_with("@")) {
      i.guard_is_negated = rest[1] == '!';
      const std::size_t space = rest.find_first_of(" \t");
      i.guard = reg(std::string(rest.substr(i.guard_is_negated ? 2 : 1, space - (i.guard_is_negated ? 2 : 1))));
      rest = trimmed(rest.substr(space));
    }
    const std::size_t space = std::min(rest.find_first_of(" \t\n"), rest.size());
    decode(i, words_of(rest.substr(0, space)), parts_of(rest.substr(space)), line);
    f_->body.push_back(i);
  }

  int reg(const std::string& name) {
    return static_cast<int>(registers_.try_emplace(name, registers_.size()).first->second);
  }
  int memory_named(const std::string& name) {
    const auto known = std::find(f_->memories.begin(), f_->memories.end(), name);
    if (known != f_->memories.end()) return static_cast<int>(known - f_->memories.begin());
    f_->memories.push_back(name);
    return static_cast<int>(f_->memories.size() - 1);
  }
  operand operand_of(const std::string& text, unsigned bits = 64) {
    using enum operand::kind;
    if (text == "%tid.x") return {thread};
    if (text == "%ntid.x") return {threads_a_block};
    if (text == "%ctaid.x") return {block};
    if (text[0] == '%') return {reg, static_cast<std::uint32_t>(this->reg(text))};
    if (text.starts_with("0d") || text.starts_with("0D")) {
      return {constant, 0, std::strtoull(text.substr(2).c_str(), nullptr, 16)};
    }
    if (const auto table = result_->tables.find(text); table != result_->tables.end()) {
      return {constant, 0, reinterpret_cast<std::uint64_t>(table->second.data())};
    }
    if (text == local_name_) return {reg, static_cast<std::uint32_t>(f_->local_register = this->reg("local memory"))};
    char* end = nullptr;
    std::uint64_t number = text[0] == '-' ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), &end, 0))
                                          : std::strtoull(text.c_str(), &end, 0);
    if (end == text.c_str() || *end != '\0') refuse("operand " + text);
    if (bits == 32) number &= 0xffffffffU;
    return {constant, 0, number};
  }
  void take(instruction& i, const std::vector<std::string>& parts, std::size_t inputs, const std::string& line) {
    if (parts.size() != inputs + 1) refuse(line);
    i.result[0] = operand_of(parts[0]);
    for (std::size_t k = 0; k < inputs; ++k) i.of[k] = operand_of(parts[k + 1], i.bits);
  }
  static unsigned bits_of(const std::string& type) {
    if (type == "pred") return 1;
    const int bits = std::atoi(type.c_str() + 1);
    if (bits != 32 && bits != 64) refuse("type " + type);
    return static_cast<unsigned>(bits);
  }

  // "[%rd1+8]" or "[name+8]".
  void address(instruction& i, const std::string& text) {
    const std::string inside = text.substr(1, text.size() - 2);
    const std::size_t plus = inside.find_first_of("+-", 1);
    if (plus != std::string::npos) i.offset = std::atoll(inside.substr(inside[plus] == '+' ? plus + 1 : plus).c_str());
    const std::string base(trimmed(inside.substr(0, plus)));
    if (i.op == code::load_param || i.op == code::store_param) i.param = memory_named(base);
    else i.of[0] = operand_of(base);
  }

  void decode_memory(instruction& i, const std::vector<std::string>& words, const std::vector<std::string>& parts,
                     const std::string& line) {
    const bool loads = words[0] == "ld", of_params = words[1] == "param";
    i.op = loads ? (of_params ? code::load_param : code::load) : (of_params ? code::store_param : code::store);
    for (std::size_t k = 1; k + 1 < words.size(); ++k) {
      if (words[k] == "v2") i.count = 2;
      else if (!is_any(words[k], {"param", "global", "local", "nc", "const"})) refuse(line);
    }
    i.bits = bits_of(words.back());
    if (parts.size() != 2) refuse(line);
    address(i, parts[loads ? 1 : 0]);
    std::string values = parts[loads ? 0 : 1];
    if (i.count == 2) values = values.substr(1, values.size() - 2);
    const std::vector<std::string> each = parts_of(values);
    if (each.size() != i.count) refuse(line);
    for (unsigned k = 0; k < i.count; ++k) (loads ? i.result[k] : i.of[1 + k]) = operand_of(each[k]);
  }

  void decode_call(instruction& i, const std::vector<std::string>& parts, const std::string& line) {
    if (parts.size() < 2) refuse(line);
    i.op = code::call;
    std::size_t at = 0;
    i.returns = parts[0].starts_with("(");
    if (i.returns) i.passed.push_back(memory_named(parts[at++].substr(1, parts[0].size() - 2)));
    calls_.emplace_back(result_->functions.size(), f_->body.size(), parts[at++]);
    if (at < parts.size()) {
      for (const std::string& one : parts_of(std::string_view(parts[at]).substr(1, parts[at].size() - 2))) {
        i.passed.push_back(memory_named(one));
      }
    }
  }

  void decode_comparison(instruction& i, const std::vector<std::string>& words, const std::vector<std::string>& parts,
                         const std::string& line) {
    if (words.size() != 3) refuse(line);
    std::string how = words[1];
    i.is_double = words[2] == "f64";
    i.is_signed = words[2][0] == 's';
    i.bits = bits_of(words[2]);
    if (how == "num" || how == "nan") {
      i.op = code::ordered;
      i.is_unordered = how == "nan";
      return take(i, parts, 2, line);
    }
    if (i.is_double && how.size() == 3 && how[2] == 'u') {
      i.is_unordered = true;
      how.resize(2);
    }
    const std::map<std::string, code> known{
        {"lt", code::less},    {"le", code::less_equal},   {"gt", code::greater}, {"ge", code::greater_equal},
        {"eq", code::equal},   {"ne", code::not_equal},    {"lo", code::less},    {"ls", code::less_equal},
        {"hi", code::greater}, {"hs", code::greater_equal}};
    if (!known.contains(how)) refuse(line);
    i.op = known.at(how);
    take(i, parts, 2, line);
  }

  void decode_conversion(instruction& i, const std::vector<std::string>& words, const std::vector<std::string>& parts,
                         const std::string& line) {
    const std::string& to = words[words.size() - 2];
    const std::string& from = words.back();
    if (to == "f64" && from == "f64" && words[1] == "rmi") i.op = code::floor;
    else if (to == "f64" && words[1] == "rn" && is_any(from, {"u64", "u32"})) i.op = code::of_whole;
    else if (to == "f64" && words[1] == "rn" && from == "s64") i.op = code::of_integer;
    else if (is_any(to, {"u32", "s32"}) && is_any(from, {"u64", "s64"})) i.op = code::narrow;
    else if (is_any(to, {"u64", "s64"}) && from == "u32") i.op = code::move;
    else if (to == "s64" && from == "s32") i.op = code::widen_signed;
    else refuse(line);
    take(i, parts, 1, line);
  }

  void decode(instruction& i, const std::vector<std::string>& words, const std::vector<std::string>& parts,
              const std::string& line) {
    const std::string& name = words[0];
    const std::string& type = words.back();
    if (name == "ld" || name == "st") return decode_memory(i, words, parts, line);
    if (name == "call") return decode_call(i, parts, line);
    if (name == "setp") return decode_comparison(i, words, parts, line);
    if (name == "cvt") return decode_conversion(i, words, parts, line);
    if (name == "ret") {
      i.op = code::leave;
      return;
    }
    if (name == "bra") {
      i.op = code::branch;
      branches_.emplace_back(f_->body.size(), parts.at(0));
      return;
    }
    if (type == "f64" && name != "mov" && name != "selp") return decode_real(i, words, parts, line);
    decode_whole(i, words, parts, line);
  }

  // Those that round must say how.
  void decode_real(instruction& i, const std::vector<std::string>& words, const std::vector<std::string>& parts,
                   const std::string& line) {
    struct known {
      code op;
      std::size_t inputs;
      bool rounds;
    };
    const std::map<std::string, known> all{
        {"fma", {code::fma, 3, true}},   {"mul", {code::mul, 2, true}},  {"add", {code::add, 2, true}},
        {"sub", {code::sub, 2, true}},   {"div", {code::div, 2, true}},  {"rcp", {code::rcp, 1, true}},
        {"sqrt", {code::sqrt, 1, true}}, {"abs", {code::abs, 1, false}}, {"neg", {code::neg, 1, false}},
        {"max", {code::max, 2, false}},  {"min", {code::min, 2, false}}};
    const auto found = all.find(words[0]);
    if (found == all.end() || words.size() != (found->second.rounds ? 3U : 2U)) refuse(line);
    if (found->second.rounds && words[1] != "rn") refuse(line);
    i.op = found->second.op;
    take(i, parts, found->second.inputs, line);
  }

  void decode_whole(instruction& i, const std::vector<std::string>& words, const std::vector<std::string>& parts,
                    const std::string& line) {
    const std::string& name = words[0];
    const std::string& type = words.back();
    if (name == "cvta") {
      i.op = code::move;
      return take(i, parts, 1, line);
    }
    i.bits = bits_of(type);
    i.is_signed = type[0] == 's';
    const auto is = [&](code op, std::size_t inputs, std::size_t length) {
      if (words.size() != length) refuse(line);
      i.op = op;
      take(i, parts, inputs, line);
    };
    if (name == "mov") return is(code::move, 1, 2);
    if (name == "selp") return is(code::select, 3, 2);
    if (name == "and") return is(code::bit_and, 2, 2);
    if (name == "or") return is(code::bit_or, 2, 2);
    if (name == "xor") return is(code::bit_xor, 2, 2);
    if (name == "not") return is(code::bit_not, 1, 2);
    if (name == "shl") return is(code::shift_left, 2, 2);
    if (name == "shr") return is(i.is_signed ? code::shift_right_signed : code::shift_right, 2, 2);
    if (name == "add") return is(code::whole_add, 2, 2);
    if (name == "sub") return is(code::whole_sub, 2, 2);
    if (name == "bfe") return is(code::extract, 3, 2);
    if (name == "mul" && words[1] == "lo") return is(code::whole_mul, 2, 3);
    if (name == "mul" && words[1] == "hi" && type == "u64") return is(code::whole_mul_high, 2, 3);
    if (name == "mul" && words[1] == "wide" && type == "u32") return is(code::whole_mul_wide, 2, 3);
    if (name == "mad" && words[1] == "lo") return is(code::whole_mad, 3, 3);
    refuse(line);
  }

  std::string text_, local_name_ = "?";
  std::size_t at_ = 0;
  std::unique_ptr<program> result_ = std::make_unique<program>();
  function* f_ = nullptr;
  std::map<std::string, std::size_t> registers_, labels_;
  std::vector<std::pair<std::size_t, std::string>> branches_;
  std::vector<std::tuple<std::size_t, std::size_t, std::string>> calls_;
};

}  // namespace

std::unique_ptr<program> read_ptx(std::string_view text) { return reader(text).read(); }

}  // namespace gpu_double
