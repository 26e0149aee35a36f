// Where the ticks of an axis stand and what is written at them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace actio {

// Text, with an exponent behind it that is set high: {"2×10", -3}.
struct tick_label {
  std::string text = {};
  std::optional<int> exponent = {};
  bool operator==(const tick_label&) const = default;
};

struct axis_ticks {
  std::vector<double> values = {};
  std::vector<tick_label> labels = {};  // one a value
  std::vector<double> minor = {};       // without labels
  tick_label factor = {};               // to multiply all labels by, a power of ten, or nothing
  std::string added = {};               // to add to them then, "+ 0.5", or nothing
};

// At about `most` multiples of 1, 2 or 5 times a power of ten. `low` < `high`.
axis_ticks linear_ticks(double low, double high, std::size_t most);

// At powers of ten, with their multiples as minor ticks; at 1, 2 and 5 times them where there would be fewer than
// three. 0 < `low` < `high`.
axis_ticks logarithmic_ticks(double low, double high, std::size_t most);

}  // namespace actio
