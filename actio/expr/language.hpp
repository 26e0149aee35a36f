// The words of expressions in one table: the parser reads by it, its errors suggest from it, `explain` and the
// reference of the language print it, and a test carries out its examples.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actio/expr/expr_tuple.hpp"

namespace actio {

struct language_function {
  std::string_view name;
  std::vector<tuple_shape> parameters;
  std::string_view usage;     // "rotate(Q, v)"
  std::string_view sentence;  // what it gives
  std::string_view example;   // an expression in t …
  std::string_view value;     // … and another one that has the same value for every t > 0
  expr_tuple (*apply)(std::span<const expr_tuple> arguments);

  enum class kind {
    plain,
    reserved,        // no other thing can have its name; the names of all others are free unless a ( follows
    many,            // the last parameter may be given several times
    differentiates,  // `apply` gets the time derivative of the argument behind it
  } type = kind::plain;
  // Why arguments of the right shapes have no value, or ""; none: all of them have.
  std::string_view (*refusal)(std::span<const expr_tuple> arguments) = nullptr;
};

// All of them; a name stands once for each list of shapes that it takes.
const std::vector<language_function>& language_functions();

std::vector<const language_function*> functions_named(std::string_view name);
// Whether arguments have the number and the shapes that the function takes.
bool takes(const language_function& f, std::span<const expr_tuple> given);

// The names of functions that nothing else may have.
const std::vector<std::string>& reserved_names();
bool is_reserved_function(std::string_view name);
// The names of all functions.
const std::vector<std::string>& function_names();

// An operator, a constant, a unit.
struct language_word {
  std::string_view name, usage, sentence, example, value;
};
const std::vector<language_word>& language_words();

}  // namespace actio
