// What the papers printed: numbers as text, one file a paper, and what is known to be wrong with them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actio {

// The texts of papers/KEY/published.json.
std::string_view published_dubois2023();
std::string_view published_rojas2024();
std::string_view published_rojas2025();
std::string_view published_marsden1997();

// Table 1 of rojas2025, as examples/double_pendulum.toml. The rods have the length g/ω0²; the paper's g/ω0 does not
// give its numbers.
std::string_view double_pendulum_example();

struct published_cell {
  std::string value;
  std::string misprint = {};    // why the value is wrong; "" when it is not known to be
  std::string unreliable = {};  // why only its first digit and magnitude hold
  std::string right = {};       // of a misprint: what should have been printed, with as many digits
};

struct published_row {
  std::vector<std::string> heads;
  std::vector<published_cell> cells;
};

struct published_table {
  std::string id, title, caption;
  std::vector<std::string> row_heads, columns;
  std::vector<published_row> rows;
};

struct published_paper {
  std::string title, authors, summary;
  int year = 0;
  std::vector<published_table> tables;
};

// Throws where a misprint has no right number.
published_paper read_published(std::string_view json);

// How what was printed stands to what was computed. Numbers agree (their digits come out), are close (inside a
// tolerance that is stated) or disagree; statements hold, hold in part (the note says where) or do not hold.
enum class verdict {
  agrees,
  close,
  holds,
  holds_in_part,
  misprint,
  unreliable_digits,
  not_reproducible,
  disagrees,
  does_not_hold,
  left_out
};
inline constexpr verdict all_verdicts[] = {verdict::agrees,           verdict::close,     verdict::holds,
                                           verdict::holds_in_part,    verdict::misprint,  verdict::unreliable_digits,
                                           verdict::not_reproducible, verdict::disagrees, verdict::does_not_hold,
                                           verdict::left_out};
std::string to_text(verdict v);
// Whether a verdict speaks against the paper or against us without an explanation: the exit status says so.
bool is_failure(verdict v);

// Agrees: the printed digits are those of `value`, rounded or cut off. An order is close within `order_tolerance` and
// without its sign. Of a misprint the right number must agree or be close so. A number that is known to be unreliable
// must share magnitude and first digit.
inline constexpr double order_tolerance = 0.01;
verdict judge(const published_cell& printed, double value, bool is_order);
// The rule of tables, in words.
std::string rule_of_cells();

}  // namespace actio
