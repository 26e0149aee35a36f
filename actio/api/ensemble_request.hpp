// An ensemble that is asked for, before it is known who computes it: one process, or several that share it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "actio/api/ensemble_simulation.hpp"
#include "actio/io/ensemble_file.hpp"
#include "actio/io/json_report.hpp"

namespace actio {

struct ensemble_request {
  const ensemble_simulation_options& options;
  ensemble_options settings;
  const ensemble_plan& plan;
  std::optional<ensemble_ledger> ledger = {};  // of its output, where it has one
  source_text output = {};
  bool resumes = false;
  std::shared_ptr<ensemble_statistics> statistics = {};
  std::vector<ensemble_observer*> observers = {};  // of all results, by whoever has them in order

  std::string statistics_text() const { return statistics ? to_json(*statistics) : ""; }
  void say(const std::string& text) const {
    if (options.note) options.note(text);
  }
};

// Brings results to a file while they come, and ends early where the disk is full.
class file_watch {
 public:
  // All of these outlive the run.
  void attach(ensemble_options& settings, std::optional<ensemble_file>& file, std::function<bool()> interrupted);

 private:
  std::atomic<bool> is_full_ = false;
};

// The ensemble by all processes of `ranks`, each with a piece of its own.
ensemble_simulation_result simulate_among(ensemble_request& request, rank_group& ranks);

}  // namespace actio
