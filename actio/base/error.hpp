// Errors that a user can mend: what is wrong, where it stands, what would be right.
//
// Three kinds of failure are never mixed. Wrong input throws `input_error`. Numbers that do not work out return a
// status (integrate/step_status.hpp). A bug in actio trips ACTIO_ASSERT.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace actio {

// A position in a file or in a command-line argument. line == 0 means "no line": the whole of `file`.
struct source_place {
  std::string file;  // a path, or an option such as "@step" (option_naming.hpp)
  int line = 0;      // counted from 1
  int column = 0;    // counted from 1, in characters
};

// "pendulum.toml:7:14", "pendulum.toml" or "".
std::string to_text(const source_place& place);

// A piece of text and where its first character stands, so that an offset inside it can be reported as a place.
struct source_text {
  std::string text;
  source_place origin;
  std::string role;  // what the text is, for messages: "lagrangian", "parameter l", "@step"

  source_place place_at(std::size_t offset) const;
};

// The input is wrong. `id` is stable and listed in error_catalogue(); what() reads
// "MESSAGE, PLACE; CURE" with the parts that are known. Marks of options in them are read out (option_naming.hpp).
class input_error : public std::runtime_error {
 public:
  input_error(std::string_view id, std::string message, source_place place, std::string cure);

  const std::string& id() const { return id_; }
  const std::string& message() const { return message_; }
  const source_place& place() const { return place_; }
  const std::string& cure() const { return cure_; }

 private:
  std::string id_, message_, cure_;
  source_place place_;
};

struct error_entry {
  std::string_view id;
  std::string_view meaning;  // one sentence, shown by `actio explain ID`
};

// Every id that an input_error may carry. Constructing an input_error with another id is a bug.
const std::vector<error_entry>& error_catalogue();

// The candidate nearest to `name` by edit distance, or "" when none is near enough to be a slip of the pen.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// "did you mean 'omega'?" when a candidate is near, otherwise "known: a, b, c" (at most a dozen of them).
std::string suggest(std::string_view name, const std::vector<std::string>& candidates);

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace actio

// We have a bug. On unless the build defines ACTIO_NO_ASSERTIONS (the release preset does).
#ifdef ACTIO_NO_ASSERTIONS
#define ACTIO_ASSERT(condition) ((void)(true || (condition)))
#else
#define ACTIO_ASSERT(condition) ((condition) ? (void)0 : ::actio::assertion_failed(#condition, __FILE__, __LINE__))
#endif
