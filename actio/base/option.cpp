// The one list of options, and values before they get a type.
#include "actio/base/option.hpp"

#include <algorithm>

namespace actio {

namespace {

// Whether `word` is one of the words of `words`, which single spaces separate.
bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

template <class Predicate>
std::vector<const option_descriptor*> options_where(Predicate&& fits) {
  std::vector<const option_descriptor*> result;
  for (const option_descriptor& option : option_catalogue()) {
    if (fits(option)) result.push_back(&option);
  }
  return result;
}

}  // namespace

const std::vector<option_descriptor>& option_catalogue() {
  using enum option_type;
  static const std::vector<option_descriptor> catalogue = {
      {"method", text, "simpson",
       "The integrator, one of those that @{methods} lists; if not given, rk4 for models with [equations] and gauss-2 "
       "for those with a hamiltonian. With auto a run chooses it, and the step as well unless that is given.",
       "run ensemble", true, "M"},
      {"accuracy", number, "",
       "Chooses method and step so that the error of positions and momenta at the end, relative to their size, is "
       "measured to be "
       "below "
       "this; for an ensemble that of nine tenths of its trajectories, measured on a sample, each with as many steps "
       "as "
       "its start asks for.",
       "run ensemble", true, "E"},
      {"companion", flag, "",
       "Measures the error of the motion itself, by a second run with half the step, however long it takes; without "
       "it short runs only are measured.",
       "run", true, ""},
      {"shadow", flag, "",
       "Follows the shadow energy, which a symplectic method keeps far better than the energy itself: a row of the "
       "certificate, a curve of the report and two columns of the output.",
       "run", true, ""},
      {"strict", flag, "", "Ends with status 1 where the certificate has doubts.", "run ensemble", true, ""},
      {"methods", text, "", "The integrators to compare, separated by commas.", "compare", false, "M1,M2"},
      {"step", number, "",
       "The length of a time step: a number or an expression in the model's parameters. With auto a run chooses each "
       "step, and the order, for the accuracy.",
       "run ensemble", true, "H"},
      {"time-scale", text, "",
       "What runs with the motion, as [time] does: a positive expression whose multiple of a step is its length in t, "
       "auto for the one that follows from the potential, none for steps of one length in t.",
       "run", false, "SCALE"},
      {"step-sizes", text, "", "The step lengths to compare, separated by commas.", "compare", false, "H1,H2"},
      {"start", number, "", "The time at which the motion starts; 0 if not given.", "run ensemble", true, "T0"},
      {"until", number, "",
       "The time to reach, exactly: where it is no multiple of the step, the last step is a shorter one. A time before "
       "the start makes the run go back.",
       "run compare ensemble", true, "T"},
      {"times", text, "",
       "The times of the rows of the output, separated by commas, in the place of those after each step; for exact the "
       "times at which to print the motion.",
       "run exact", true, "T1,T2"},
      {"times-file", path, "", "A file with the times of the rows of the output, one a line.", "run", false, "FILE"},
      {"steps", count, "", "The number of steps, instead of the time to reach.", "run ensemble", true, "N"},
      {"precision", text, "double", "The numbers to compute with: double, quad or a number of decimal digits.",
       "run compare exact", true, "P"},
      {"backend", text, "auto",
       "What evaluates the model's formulas: machine-code, interpreter, or auto for the first of them that there is.",
       "run compare ensemble", true, "B"},
      {"state", text, "momentum", "The variables that an explicit method integrates: momentum or velocity.",
       "run ensemble", true, "VARIABLES"},
      {"beta", number, "", "Newmark's beta for the methods newmark and newmark-beta; 1/4 if only gamma is given.",
       "run compare verify ensemble", true, "B"},
      {"gamma", number, "", "Newmark's gamma for the methods newmark and newmark-beta; 1/2 if only beta is given.",
       "run compare verify ensemble", true, "G"},
      {"guess", text, "extrapolation",
       "Where Newton's method begins in each step of a Galerkin method or a Lobatto pair: state (no motion), velocity "
       "(motion at the velocity of the state) or extrapolation of earlier steps. Results are the same to rounding "
       "where steps are short enough, "
       "iterations are not.",
       "run compare", true, "GUESS"},
      {"allow-unstable", flag, "", "Runs a linear system even with a step so long that its oscillations grow.",
       "run compare ensemble", true, ""},
      {"formulation", text, "constrained",
       "What becomes discrete: constrained (positions in the ambient space, with multipliers) or intrinsic (the same "
       "action in the coordinates of [chart]).",
       "run", true, "F"},
      {"project", flag, "",
       "Moves initial data that do not satisfy the constraints to the nearest that do, and says how far.",
       "run compare ensemble check", true, ""},
      {"set", assignment, "", "Replaces the value of a parameter; may be repeated.", "run compare exact check ensemble",
       false, "NAME=VALUE"},
      {"sweep", assignment, "",
       "Varies an initial value (q, p_q or q') or a parameter over equally spaced values, both ends included, or over "
       "the values of a list, NAME=[A,B,C]; several make a grid, except &NAME=..., which goes along with the one "
       "before "
       "it.",
       "ensemble", false, "NAME=FROM:TO:COUNT"},
      {"sample", assignment, "",
       "Draws an initial value or a parameter at random: normal(MEAN,DEVIATION) or uniform(FROM,TO); may be repeated.",
       "ensemble", false, "NAME=DISTRIBUTION"},
      {"count", count, "1", "The number of trajectories, at each point of the grid where there are sweeps.", "ensemble",
       false, "N"},
      {"seed", count, "0", "The seed of the random numbers.", "ensemble", false, "S"},
      {"part", text, "",
       "Computes the K-th of P parts only, as a task of a job array does; @{join} makes one file of all parts.",
       "ensemble", false, "K/P"},
      {"device", text, "cpu",
       "What moves the trajectories: cpu, gpu for all NVIDIA GPUs, gpu:K for one of them, gpu:K,L for some; results "
       "have "
       "the same bits. list shows what there is; prepare writes kernels into the code cache, for machines without "
       "LLVM.",
       "ensemble", false, "D"},
      {"poincare", text, "",
       "A Poincaré section: the points where an expression in coordinates, velocities (q'), momenta (p_q), t and "
       "parameters goes through zero, upwards; EXPRESSION:down and EXPRESSION:both are the other ways.",
       "ensemble", false, "EXPRESSION"},
      {"lyapunov", flag, "",
       "Measures the largest Lyapunov exponent of every trajectory; takes twice as long in lanes, and far longer "
       "elsewhere.",
       "ensemble", false, ""},
      {"kinks", text, "split",
       "What steps do where the model has a kink or a jump: split lets them end there, ignore goes over them.",
       "run ensemble", true, "K"},
      {"output", path, "",
       "The file for the trajectory, or for one row a trajectory of an ensemble; its ending says the format: .csv, "
       ".npy "
       "or .h5; with - a run prints its rows, and the certificate among the notes. For join the file of the whole "
       "ensemble, "
       "for "
       "reproduce the folder for pages and figures.",
       "run ensemble join reproduce", true, "FILE"},
      {"columns", text, "",
       "The columns of the output, separated by commas, in their order behind t: coordinates, velocities (q'), momenta "
       "(p_q), energy and all else that trajectories have; if not given, all but the velocities. A report about many "
       "coordinates draws those that are named.",
       "run", true, "C1,C2"},
      {"every", count, "1", "Writes only every K-th step to the output.", "run", true, "K"},
      {"report", path, "",
       "The page about the run, the comparison or the ensemble (maps over two swept values, distributions, sections), "
       "one HTML file to be opened in a browser.",
       "run compare ensemble", true, "FILE.html"},
      {"statistics", flag, "",
       "Moments, quantiles and histograms of the ends of an ensemble, computed on the fly: it then needs no output, "
       "however large it is.",
       "ensemble", false, ""},
      {"checkpoint-every", count, "",
       "Takes a checkpoint every N steps; if not given, every half minute of a run that lasts longer than one.", "run",
       false, "N"},
      {"resume", flag, "",
       "Goes on from the checkpoint beside the output, or starts afresh where there is none; an ensemble with any "
       "number "
       "of threads and processes.",
       "run ensemble", false, ""},
      {"again", flag, "",
       "Repeats the run or the ensemble of a file (.h5) and says whether the bits of all that it holds agree.",
       "run ensemble", false, ""},
      {"quick", flag, "", "Leaves out lengths of a thousand periods and more.", "reproduce", false, ""},
      {"threads", count, "", "The number of threads; as many as there are processors if not given.",
       "verify reproduce ensemble", false, "N"},
      {"json", flag, "", "Prints one JSON object instead of text.",
       "run compare exact check verify reproduce ensemble join methods problems", false, ""},
      {"quiet", flag, "", "Prints results only: no progress, no hints.", "run compare verify reproduce ensemble", false,
       ""},
  };
  return catalogue;
}

const option_descriptor* find_option(std::string_view name) {
  const auto& catalogue = option_catalogue();
  const auto found = std::find_if(catalogue.begin(), catalogue.end(),
                                  [&](const option_descriptor& option) { return option.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

std::vector<const option_descriptor*> options_of(std::string_view command) {
  return options_where([&](const option_descriptor& option) { return has_word(option.commands, command); });
}

std::vector<const option_descriptor*> options_in_model() {
  return options_where([](const option_descriptor& option) { return option.in_model; });
}

void option_values::set(std::string_view name, source_text value) {
  values_.insert_or_assign(std::string(name), std::move(value));
}

bool option_values::has(std::string_view name) const { return values_.find(name) != values_.end(); }

std::optional<source_text> option_values::find(std::string_view name) const {
  if (const auto found = values_.find(name); found != values_.end()) return found->second;
  const option_descriptor* option = find_option(name);
  if (option == nullptr || option->default_value.empty()) return std::nullopt;
  const std::string label = "default of --" + std::string(name);
  return source_text{std::string(option->default_value), {label, 0, 0}, label};
}

void option_values::override_with(const option_values& over) {
  for (const auto& [name, value] : over.values_) values_.insert_or_assign(name, value);
}

void option_values::erase(std::string_view name) {
  if (const auto found = values_.find(name); found != values_.end()) values_.erase(found);
}

}  // namespace actio
