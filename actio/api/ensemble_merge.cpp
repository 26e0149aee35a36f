#include "actio/api/ensemble_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace actio {

namespace {

// One source on its way.
struct merged_source {
  ensemble_reader reader;
  trajectory_result now = {};
  bool is_there = false;

  merged_source(const ensemble_source& source) : reader(source.path, source.ledger) { advance(); }
  void advance() { is_there = reader.next(now); }
};

}  // namespace

void merge(const std::vector<ensemble_source>& sources, const std::function<void(const trajectory_result&)>& each) {
  std::vector<std::unique_ptr<merged_source>> all;
  for (const ensemble_source& source : sources) all.push_back(std::make_unique<merged_source>(source));
  std::erase_if(all, [](const auto& source) { return !source->is_there; });
  const auto later = [](const auto& a, const auto& b) { return a->now.index > b->now.index; };
  std::ranges::make_heap(all, later);
  std::optional<std::size_t> last;
  while (!all.empty()) {
    std::ranges::pop_heap(all, later);
    merged_source& first = *all.back();
    if (last && first.now.index <= *last) {
      throw input_error("overlapping-parts", fmt::format("trajectory {} stands in two places", first.now.index), {},
                        "give each part once, or compute the ensemble again");
    }
    last = first.now.index;
    each(first.now);
    first.advance();
    if (first.is_there) std::ranges::push_heap(all, later);
    else all.pop_back();
  }
}

ensemble_report merged_report(const std::vector<ensemble_source>& sources,
                              const std::function<void(const trajectory_result&)>& each) {
  ensemble_report report = sources.front().ledger.report;
  static_cast<ensemble_tally&>(report) = {};
  std::map<std::size_t, std::string> reasons;
  for (const ensemble_source& source : sources) {
    report.ensemble_tally::add(source.ledger.report);
    for (const ensemble_failure& f : source.ledger.report.first_failures) reasons.emplace(f.index, f.reason);
  }
  const ensemble_layout& layout = sources.front().ledger.layout;
  ensemble_summary sums(report);
  trajectory_result known;
  merge(sources, [&](const trajectory_result& one) {
    sums.add_tallied(one, one.crossings.size() / layout.a_crossing());
    const auto reason = reasons.find(one.index);
    if (reason == reasons.end()) return each(one);
    known = one;
    known.reason = reason->second;
    each(known);
  });
  sums.finish(layout.has_lyapunov);
  report.planned = range_of(report.part.value_or(ensemble_part()), report.whole).size();
  return report;
}

}  // namespace actio
