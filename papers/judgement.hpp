// How claims are judged: rules with the words by which a reader can judge again, and what they look at.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actio/io/figure.hpp"

namespace actio {

struct judgement {
  std::string rule;         // "at most 1e-13"
  bool holds = false;       // by that rule
  bool is_computed = true;  // false where a number is missing: then nothing is judged
};

// The same rule with what it is about before it: "every shift at most 0.0005".
judgement about(const std::string& subject, judgement judged);
// Both rules hold.
judgement operator&&(const judgement& a, const judgement& b);

judgement at_most(double seen, double limit);
judgement at_least(double seen, double limit);
// |seen − target| ≤ tolerance.
judgement within(double seen, double target, double tolerance);
// The same for the least and the largest of several.
judgement within_range(double seen_least, double seen_most, double target, double tolerance);
// |seen − target| ≤ share · |target|, for each of both.
judgement within_share(std::span<const double> seen, std::span<const double> target, double share);
// least − slack ≤ both ends ≤ most + slack.
judgement inside(double seen_least, double seen_most, double least, double most, double slack);

// Errors are below others, one by one; `where` says where both were measured.
judgement all_below(std::span<const double> errors, std::span<const double> others, const std::string& where);
// Numbers fall, one after the other.
judgement falls(std::span<const double> values);

// Work against steps of any lengths, over one time: the power of 1/h that it grows with, by regression.
double growth_of_work(std::span<const double> steps, std::span<const double> work);

// The largest |value| in each tenth of a run. NaN where a tenth has no value.
std::vector<double> tenths(std::span<const double> values);
// That of the last tenth over that of the first.
double growth(std::span<const double> in_tenths);
// Artificial dissipation would let an error grow: the last tenth of a run has at most, or at least, twice the error of
// the first.
judgement keeps_its_size(std::span<const double> in_tenths);
judgement grows(std::span<const double> in_tenths);

// Pearson's coefficient of correlation. NaN where one does not change.
double correlation(std::span<const double> a, std::span<const double> b);

// What is nearer to a drawn curve, as part of the drawing's height, lies on it.
inline constexpr double line_width = 0.01;
// The largest |seen − right| over the range of `right`: how far a drawn curve is from another, as part of the drawing.
double visible_distance(std::span<const double> seen, std::span<const double> right);

// One curve a run: the largest error in each tenth.
struct named_tenths {
  std::string name;
  std::vector<double> values;
};
panel tenths_panel(std::string title, std::string y_label, const std::vector<named_tenths>& runs);

// a / b, one by one.
std::vector<double> ratios(std::span<const double> a, std::span<const double> b);

}  // namespace actio
