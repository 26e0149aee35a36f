// Ensembles as JSON: their summaries and statistics.
#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/io/json_report.hpp"
#include "actio/simulate/ensemble_statistics.hpp"

namespace actio {

namespace {

using json = nlohmann::ordered_json;

json real(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

std::string written(const json& object) { return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

json accuracy_json(const ensemble_accuracy& a) {
  return {{"asked", real(a.asked)},
          {"sample", a.sample},
          {"median", real(a.median)},
          {"ninth_decile", real(a.ninth_decile)},
          {"percentile_99", real(a.percentile_99)},
          {"worst", real(a.worst)},
          {"uncertainty", real(a.uncertainty)},
          {"energy_limit", real(a.energy_limit)},
          {"reason", a.reason}};
}

}  // namespace

std::string to_json(const ensemble_report& report, bool with_seconds) {
  json position = json::object(), momentum = json::object(), by_status = json::object(), failures = json::array();
  const auto statistic = [](const ensemble_statistic& s) {
    return json{{"mean", real(s.mean)},
                {"deviation", real(s.deviation)},
                {"smallest", real(s.smallest)},
                {"largest", real(s.largest)}};
  };
  for (std::size_t i = 0; i < report.position.size(); ++i) {
    position[report.coordinates[i]] = statistic(report.position[i]);
  }
  for (std::size_t i = 0; i < report.momentum.size(); ++i) {
    momentum["p_" + report.coordinates[i]] = statistic(report.momentum[i]);
  }
  for (std::size_t k = 0; k < report.by_status.size(); ++k) {
    by_status[to_text(static_cast<trajectory_status>(k))] = report.by_status[k];
  }
  for (const ensemble_failure& f : report.first_failures) {
    failures.push_back({{"trajectory", f.index}, {"reason", f.reason}});
  }
  json object = {
      {"model", report.model},
      {"method", report.method},
      {"step", report.accuracy ? json(nullptr) : real(report.step)},
      {"steps", report.accuracy ? json(nullptr) : json(report.steps)},
      {"steps_taken", {{"fewest", report.fewest_steps}, {"most", report.most_steps}, {"all", report.all_steps}}},
      {"accuracy", report.accuracy ? accuracy_json(*report.accuracy) : json(nullptr)},
      {"planned", report.planned},
      {"count", report.count},
      {"done", report.done()},
      {"failed", report.failed()},
      {"by_status", by_status},
      {"position", position},
      {"momentum", momentum},
      {"energy_error", report.has_energy ? statistic(report.energy_error) : json(nullptr)},
      {"untrusted", report.untrusted},
      {"lyapunov", report.lyapunov ? statistic(*report.lyapunov) : json(nullptr)},
      {"section", report.section.empty() ? json(nullptr) : json(report.section)},
      {"crossings", report.section.empty() ? json(nullptr) : json(report.crossings)},
      {"events", report.watches_events ? json(report.events) : json(nullptr)},
      {"tangencies", report.section.empty() ? json(nullptr) : json(report.tangencies)},
      {"discontinuities", report.section.empty() ? json(nullptr) : json(report.discontinuities)},
      {"first_failures", failures},
      {"engine", report.engine},
      {"setup_seconds", real(report.setup_seconds)},
      {"seconds", real(report.seconds)},
      {"status", report.interrupted ? "interrupted" : "done"}};
  for (const char* key : {"setup_seconds", "seconds"}) {
    if (!with_seconds) object.erase(key);
  }
  if (report.part) {
    const trajectory_range range = range_of(*report.part, report.whole);
    object["part"] = {{"number", report.part->number},
                      {"of", report.part->parts},
                      {"first", range.first},
                      {"end", range.end},
                      {"whole", report.whole}};
  }
  return written(object);
}

namespace {

json statistics_json(const ensemble_statistics& statistics) {
  constexpr std::size_t most_bins = 256;
  json all = json::object();
  for (const quantity_statistics& q : statistics.quantities()) {
    json quantiles = json::object();
    for (const char* part : {"0.001", "0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99", "0.999"}) {
      quantiles[part] = real(q.quantile(std::stod(part)));
    }
    const dyadic_histogram bins = q.histogram().coarser(most_bins);
    all[q.name()] = {{"count", q.count()},
                     {"not_finite", q.not_finite()},
                     {"mean", real(q.mean())},
                     {"deviation", real(q.deviation())},
                     {"smallest", real(q.smallest())},
                     {"largest", real(q.largest())},
                     {"quantiles", quantiles},
                     {q.is_logarithmic() ? "relative_resolution" : "resolution", real(q.resolution())},
                     {"histogram",
                      {{"logarithmic", q.is_logarithmic()},
                       {"from", real(bins.first())},
                       {"width", real(bins.width())},
                       {"counts", bins.counts()}}}};
    if (q.is_logarithmic()) all[q.name()]["zeros"] = q.zeros();
  }
  return all;
}

}  // namespace

std::string to_json(const ensemble_statistics& statistics) { return written(statistics_json(statistics)); }

std::string to_json(const ensemble_report& report, const ensemble_statistics& statistics) {
  json object = json::parse(to_json(report));
  object["statistics"] = statistics_json(statistics);
  return written(object);
}

}  // namespace actio
