// What a file of an ensemble holds and how it was made, as its checkpoint tells it: the plan and the settings, which
// trajectories the file is for, how many of them it has, and what rows do not say of them.
//
// It stands in OUTPUT.checkpoint beside the output; in a complete part in HDF5 it is inside the file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actio/base/snapshot.hpp"
#include "actio/io/ensemble_layout.hpp"
#include "actio/io/row_source.hpp"
#include "actio/io/run_recipe.hpp"

namespace actio {

struct ensemble_ledger {
  run_metadata made_by;  // model and options, what varies, the seed, version and machine
  ensemble_layout layout;
  ensemble_report report = {};                              // of the trajectories in the file, without statistics
  bool is_piece = false;                                    // of a process among others: any trajectories of its part
  std::size_t rows = 0, crossing_rows = 0, event_rows = 0;  // that the file is known to hold

  // Trajectories that the file is for.
  trajectory_range range() const;
};

// That of a file without rows.
ensemble_ledger new_ledger(const ensemble_plan& plan, const ensemble_options& options, const run_recipe& recipe);

snapshot to_snapshot(const ensemble_ledger& ledger);
// Throws checkpoint-damaged.
ensemble_ledger ledger_in(const snapshot& from, const std::string& path);
// That of an output; nothing where there is none. Throws checkpoint-damaged, file-unreadable, trajectory-damaged.
std::optional<ensemble_ledger> ledger_of(const std::string& output);

// What differs between two ensembles, in words ("step", "model"), or "": machines may.
std::string difference(const ensemble_ledger& one, const ensemble_ledger& other);

// The results in a file, in their order, as far as rows tell.
class ensemble_reader {
 public:
  // Throws what open_rows throws.
  ensemble_reader(const std::string& path, const ensemble_ledger& ledger);
  // False at the end. Throws trajectory-damaged.
  bool next(trajectory_result& result);

 private:
  // Rows of a table beside the trajectories, and the one that comes next; none at the end.
  struct beside {
    std::size_t rows = 0;  // that are still to be read
    std::unique_ptr<row_source> source = {};
    std::vector<double> next = {};

    void open(const std::string& path, const char* table, const std::vector<std::string>& columns);
    void read();
    bool is_of(const trajectory_result& result) const;
  };
  [[noreturn]] void damaged(const char* what) const;

  std::string path_;
  ensemble_layout layout_;
  std::size_t rows_;  // that are still to be read
  std::unique_ptr<row_source> source_;
  beside crossings_, events_;
  std::vector<double> row_;
};

}  // namespace actio
