#include "actio/simulate/output_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>

#include "actio/base/option_naming.hpp"
#include "actio/simulate/milestones.hpp"
#include "actio/simulate/run_settings.hpp"

namespace actio {

void read_times(option_values& options) {
  const auto path = options.find("times-file");
  if (!path) return;
  if (options.has("times")) {
    throw input_error("conflicting-options", "times are given twice", whole_place(*path),
                      "leave @times or @times-file out");
  }
  std::ifstream file(path->text);
  if (!file) {
    throw input_error("file-unreadable", fmt::format("cannot read '{}': {}", path->text, std::strerror(errno)),
                      whole_place(*path), "give a file with one time a line");
  }
  std::string times;
  for (std::string line; std::getline(file, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.back() == '\r') line.pop_back();
    times += (times.empty() ? "" : ",") + line;
  }
  options.set("times", {std::move(times), {path->text, 0, 0}, "times"});
  options.erase("times-file");
}

template <class S>
std::optional<std::vector<S>> times_from(const model& m, const option_values& options, const integrator<S>& flow,
                                         const run_options<S>& length) {
  const auto typed = options.find("times");
  if (!typed) return std::nullopt;
  const S &start = flow.options().start, &step = flow.step();
  const S end = length.until ? *length.until : S(start + S(static_cast<double>(length.steps)) * step);
  const milestones<S> run(start, step, end);
  std::vector<S> times;
  for (const source_text& one : list_from(*typed)) {
    const S time = time_from<S>(m, one);
    if (!run.reaches(time, start) || !run.reaches(end, time)) {
      throw input_error("bad-number",
                        fmt::format("the time '{}' is outside of the run, which goes from {} to {}", one.text,
                                    to_brief(start, 8), to_brief(end, 8)),
                        one.origin, "give times of the run, or let it go further with @until");
    }
    times.push_back(run.meets(time, end) ? end : run.meets(time, start) ? start : time);
  }
  if (step > S(0)) std::ranges::sort(times);
  else std::ranges::sort(times, std::greater<S>());
  const auto [first, last] = std::ranges::unique(times);
  times.erase(first, last);
  return times;
}

#define ACTIO_INSTANTIATE(S)                                                                                     \
  template std::optional<std::vector<S>> times_from<S>(const model&, const option_values&, const integrator<S>&, \
                                                       const run_options<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
