// Messages, places, suggestions, and the list of everything that can be wrong with an input.
#include "actio/base/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "actio/base/option_naming.hpp"

namespace actio {

namespace {

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::string assembled(const std::string& message, const source_place& place, const std::string& cure) {
  std::string text = message;
  const std::string where = to_text(place);
  if (!where.empty()) text += ", " + where;
  if (!cure.empty()) text += "; " + cure;
  return text;
}

bool is_listed(std::string_view id) {
  const auto& entries = error_catalogue();
  return std::any_of(entries.begin(), entries.end(), [&](const error_entry& entry) { return entry.id == id; });
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// The characters of UTF-8 text, each as the bytes that make it, so that one Greek letter counts as one edit.
std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && !starts_character(text[end])) ++end;
    characters.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return characters;
}

// Insertions, deletions, replacements and swaps of neighbours that turn a into b (Damerau–Levenshtein, each place
// edited at most once).
std::size_t edit_distance(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string to_text(const source_place& place) {
  if (place.line == 0) return place.file;
  std::string text = place.file.empty() ? "" : place.file + ":";
  text += std::to_string(place.line);
  if (place.column > 0) text += ":" + std::to_string(place.column);
  return text;
}

source_place source_text::place_at(std::size_t offset) const {
  source_place place = origin;
  if (place.line == 0) return place;
  place.column = std::max(place.column, 1);
  const std::string_view before = std::string_view(text).substr(0, offset);
  for (char c : before) {
    if (c == '\n') {
      ++place.line;
      place.column = 1;
    } else if (starts_character(c)) {
      ++place.column;
    }
  }
  return place;
}

input_error::input_error(std::string_view id, std::string message, source_place place, std::string cure)
    : std::runtime_error(assembled(named_options(message), named_options(place), named_options(cure))),
      id_(id),
      message_(named_options(message)),
      cure_(named_options(cure)),
      place_(named_options(std::move(place))) {
  ACTIO_ASSERT(is_listed(id_));
}

const std::vector<error_entry>& error_catalogue() {
  static const std::vector<error_entry> entries = {
      {"expression-syntax",
       "An expression breaks the grammar: an operator, a value or a parenthesis is missing or misplaced."},
      {"unknown-function", "A name is called like a function, but no function has this name."},
      {"wrong-argument-count", "A function is called with more or fewer arguments than it takes."},
      {"wrong-shape",
       "Scalars, vectors, quaternions and conditions are joined in a way that has no meaning: a condition is no "
       "number."},
      {"unknown-component", "A value has no component of this name."},
      {"bad-argument", "A function has no value for an argument as written, such as mod(a, 0) or jn(1/2, x)."},
      {"path-outside", "A file that a model names does not lie in the folder of the model or below it."},
      {"signal-column", "A file with the samples of a signal lacks its column time or value, or a line ends early."},
      {"signal-times", "The times of a signal do not increase from sample to sample."},
      {"signal-too-short", "A signal has fewer than two samples."},
      {"signal-range", "A run asks for a signal at times for which it has no samples."},
      {"bad-index", "An index is no whole number, a range has no two ends, or a row of a table has no such column."},
      {"unknown-table", "A sum or a key runs over a table that the model does not have."},
      {"unknown-member", "An expression uses a member such as x[101] beyond those that there are."},
      {"too-many-elements", "A range, a sum or the sizes of a model give more elements than are possible."},
      {"bad-size", "A size of a model is no whole number, or is negative."},
      {"table-column", "A table lacks a column, names one twice, or has a row with more or fewer values than columns."},
      {"unbound-symbol", "Something needs a Lagrangian written out whose long sums are kept."},
      {"table-empty", "A file of rows has a header and no rows."},
      {"expression-too-deep", "Parentheses, signs or powers are nested more deeply than the parser accepts."},
      {"expression-too-long", "The text of an expression is longer than a million characters."},
      {"number-out-of-range", "A literal has an exponent beyond ±1000 or more than 10000 digits."},
      {"division-by-zero", "An expression divides by the number zero."},
      {"unknown-name", "An expression uses a name that is no coordinate, parameter, definition or constant."},
      {"toml-syntax", "A model file is not valid TOML."},
      {"unknown-key", "A model file has a key that means nothing to actio."},
      {"missing-key", "A model file lacks a key that it needs."},
      {"wrong-type", "A value in a model file has another type than its key asks for."},
      {"missing-table", "A model file lacks a table that every model needs."},
      {"missing-initial-value", "A coordinate has no initial position, velocity or momentum."},
      {"unknown-initial-value", "An initial value is given for a name that is no coordinate."},
      {"value-given-twice",
       "A coordinate gets a value by its own name and by that of a vector or quaternion that contains it."},
      {"two-initial-rates", "Both initial velocities and initial momenta are given, where one determines the other."},
      {"duplicate-name", "Two things in a model have the same name."},
      {"reserved-name", "A name in a model is already taken by a function, a constant or the time."},
      {"bad-name", "A name in a model is not made of letters, digits and _, or starts with a digit."},
      {"name-not-allowed", "A name is known but has no meaning where it stands, such as a coordinate in a parameter."},
      {"model-too-large", "A model has more coordinates, names or operations than actio accepts."},
      {"parameter-cycle", "Parameters or definitions are defined through one another in a circle."},
      {"acceleration-in-expression",
       "An expression needs a second time derivative, which a Lagrangian may not contain."},
      {"degenerate-lagrangian",
       "The mass matrix, the second derivative of the Lagrangian by the velocities, is singular."},
      {"velocity-missing", "The velocity of a coordinate does not occur in the Lagrangian."},
      {"force-size", "A force function gives more or fewer forces than there are coordinates."},
      {"force-lacks-precision", "A force function does not compute in the numbers of the run."},
      {"false-symmetry", "A declared symmetry does not leave the Lagrangian unchanged."},
      {"missing-equation", "A coordinate of a model with equations y' = f(t, y) has no equation."},
      {"needs-lagrangian",
       "A table or an option has a meaning for Lagrangian systems only, but the model gives a Hamiltonian or equations "
       "y' = f(t, y)."},
      {"bad-method",
       "A method that is to be registered has a name or nodes that cannot be, or lacks a step or an order."},
      {"duplicate-method", "A method that is to be registered has the name of another."},
      {"method-lacks-precision", "A method computes in double, not in the precision of the run."},
      {"method-needs-lagrangian",
       "A method discretises a Lagrangian, but the model gives a Hamiltonian or equations y' = f(t, y)."},
      {"unknown-point", "A line, a trace or a body of [view] names a point that [view.points] does not have."},
      {"component-count", "Something in [view] has more or fewer components than it needs, or than the rest has."},
      {"idle-constraint", "A constraint contains no coordinate, so that it holds nothing."},
      {"redundant-constraints", "Constraints depend on one another, so that no unique forces hold them."},
      {"contradictory-constraints", "Constraints depend on one another and cannot all be zero."},
      {"off-constraint", "Initial positions do not satisfy a constraint."},
      {"unnormalised-quaternion", "An initial quaternion does not have the norm that a constraint asks for."},
      {"off-hidden-constraint",
       "Initial velocities or momenta would leave a constraint: its time derivative is not zero."},
      {"missing-chart", "An intrinsic formulation is asked for, but the model has no [chart]."},
      {"missing-chart-coordinate", "A chart does not say where an ambient coordinate is."},
      {"chart-size", "A chart has more or fewer coordinates than the constraints leave free."},
      {"chart-off-constraint", "A chart leaves a constraint."},
      {"chart-off-start", "The chart does not lead to the initial position of the model."},
      {"method-refuses-charts", "The method does not discretise in the ambient space of a chart."},
      {"unreachable-next", "No step of the run leads from the initial position to that of [initial.next]."},
      {"two-point-start",
       "A model starts from two positions, where a command needs a start that belongs to no method and no step."},
      {"method-refuses-constraints", "A method cannot hold constraints."},
      {"two-descriptions", "A model describes its dynamics or a body twice: say, by a Lagrangian and by matrices."},
      {"matrix-not-square", "A mass or stiffness matrix has rows of another length than their number."},
      {"matrix-sizes-differ", "Mass, stiffness, load and coordinates do not have the same size."},
      {"matrix-not-symmetric", "A mass or stiffness matrix differs from its transpose."},
      {"matrix-not-finite", "An entry of a mass matrix, a stiffness matrix or a load is not a finite number."},
      {"mass-singular", "A motion has no kinetic energy: the mass matrix has the eigenvalue zero."},
      {"mass-not-positive", "A motion has negative kinetic energy: the mass matrix has a negative eigenvalue."},
      {"time-scale-unknown", "A scale of time does not follow from the model, or its rate does not."},
      {"method-refuses-time-scale", "A method that takes steps of one length only is to follow a scale of time."},
      {"unknown-event-target", "An event sets something that is no coordinate, velocity, momentum or parameter."},
      {"parameters-unsuited",
       "New values of parameters make a system another than its steps or its certificate are made for."},
      {"stiffness-negative", "A stiffness matrix has a negative eigenvalue: the system would be unstable by itself."},
      {"unstable-step",
       "The step is too long for the method: the fastest oscillation of the linear system would grow."},
      {"unknown-method", "No method in the catalogue has this name."},
      {"unknown-paper", "The paper to reproduce is not one of those that actio knows."},
      {"method-needs-energy", "A method that keeps the energy needs a system without forces or explicit time."},
      {"method-needs-linear", "A method for constant mass, stiffness and load needs a linear system."},
      {"method-needs-separable",
       "A splitting method needs kinetic energy of the velocities alone and potential energy of the coordinates "
       "alone."},
      {"unknown-problem", "The model is neither a readable file nor the name of a built-in problem."},
      {"no-exact-motion", "The exact motion of the model is not known, or not for its parameters and initial data."},
      {"unknown-option-value", "An option has a value that is not among its choices."},
      {"bad-step", "The step is not a positive, finite number."},
      {"bad-count", "A count is not a whole number in its allowed range."},
      {"bad-number", "A number is expected, but the text or value given is not a finite number."},
      {"bad-precision", "The precision is neither double, quad nor an allowed number of digits."},
      {"bad-accuracy", "The accuracy is not a number between 0 and 1."},
      {"accuracy-unreachable", "No step reaches the accuracy: the precision of the numbers or the motion forbids it."},
      {"backend-unavailable", "Machine code is asked for where there is none: in this build, or beyond double."},
      {"conflicting-options", "Two options that exclude each other are given together."},
      {"file-unreadable", "A file does not exist or cannot be read."},
      {"file-empty", "A file that should hold a model is empty."},
      {"file-not-text", "A file that should hold text is not valid UTF-8 or holds binary data."},
      {"file-too-large", "A model file is larger than actio accepts."},
      {"checkpoint-damaged", "A checkpoint is not complete, or not one of this version."},
      {"checkpoint-foreign", "A checkpoint or its output belongs to another run."},
      {"bad-part", "A part of an ensemble is not K/P with whole numbers and 1 <= K <= P."},
      {"no-part", "A file that is to be joined is no part of an ensemble."},
      {"other-ensemble", "Parts that are to be joined belong to different ensembles."},
      {"missing-parts", "Parts that are to be joined do not hold all trajectories of the ensemble."},
      {"overlapping-parts", "Parts that are to be joined hold the same trajectory."},
      {"gpu-unavailable",
       "Trajectories are asked for on a GPU, but there is none that can be used, or no driver for it."},
      {"gpu-refuses", "A GPU cannot hold the model or the ensemble, or does not do what is asked for."},
      {"mpi-unavailable", "Several processes were started as one program, but this build of actio has no MPI."},
      {"trajectory-damaged", "A file is not a trajectory file, or it is incomplete."},
      {"format-unavailable", "This build of actio cannot read or write HDF5."},
      {"output-unwritable", "An output file cannot be created or written."},
      {"output-in-use", "Another process is writing the same output."},
      {"file-foreign", "A file that is not actio's stands where actio keeps one of its own beside an output."},
      {"unknown-topic", "There is no explanation under this name."},
      {"missing-argument", "The command line lacks an argument or an option that the command needs."},
      {"unknown-command-option", "The command line has a command or an option that actio does not know."},
      {"unknown-column", "A trajectory has no column of the name that is asked for."},
      {"no-discrete-action", "The discrete Lagrangian of a method is asked for, and none is known."},
      {"no-shadow-energy", "The shadow energy is asked for where energy is supplied, or where there is none."},
      {"non-finite-start", "The Lagrangian or its derivatives are not finite at the initial state."},
      {"no-initial-momentum",
       "A model with a Hamiltonian starts from velocities, and no momenta are found that belong to them."},
  };
  return entries;
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string wanted = lowered(name);
  for (const std::string& candidate : candidates) {
    if (lowered(candidate) == wanted) return candidate;
  }
  const auto letters = characters_of(wanted);
  const std::size_t threshold = std::max<std::size_t>(1, letters.size() / 3);
  std::size_t best_distance = threshold + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    const std::string lower_candidate = lowered(candidate);
    const auto other = characters_of(lower_candidate);
    const std::size_t longest = std::max(letters.size(), other.size());
    if (longest > std::min(letters.size(), other.size()) + threshold) continue;
    const std::size_t distance = edit_distance(letters, other);
    // Names that share no letter, such as x and y, are different names rather than slips of the pen.
    if (distance < best_distance && distance < longest) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t most_listed = 12;
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) return "did you mean '" + nearest + "'?";
  if (candidates.empty()) return "";
  std::string text = "known: ";
  for (std::size_t i = 0; i < std::min(candidates.size(), most_listed); ++i) {
    if (i > 0) text += ", ";
    text += candidates[i];
  }
  if (candidates.size() > most_listed) text += ", ...";
  return text;
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "actio has a bug: '%s' does not hold, %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace actio
