// Large expressions as short texts: what is long or occurs several times gets a name of its own.
#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

class named_parts {
 public:
  // Parts are called part_1, part_2, …, without the names that are taken.
  explicit named_parts(std::unordered_set<std::string> taken) : taken_(std::move(taken)) {}

  // `e` itself where its text is short and not nested too deeply for the parser. Otherwise an expression that is, in
  // symbols of parts: with these substituted it is `e` again. Parts are kept from one expression to the next.
  expr shortened(const expr& e);

  // Those that were made since the last call, each after the parts that it uses.
  std::vector<std::pair<std::string, expr>> take_new() { return std::exchange(new_, {}); }

 private:
  expr part_for(const expr& e, const expr& short_form);

  std::unordered_set<std::string> taken_;
  expr_map<expr> known_;  // the symbols of parts
  std::vector<std::pair<std::string, expr>> new_;
  std::size_t count_ = 0;
};

}  // namespace actio
