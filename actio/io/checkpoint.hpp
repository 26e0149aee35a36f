// Checkpoints: everything that a run needs to go on as if it had never stopped, bit for bit.
//
// A checkpoint is one line of text that names the format, one line of JSON and one line with a checksum. It is written
// beside the output and moved into place in one step, after the output's rows have reached the disk.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actio/base/snapshot.hpp"
#include "actio/io/trajectory_writer.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

// "OUTPUT.checkpoint", beside the file that the output leads to.
std::string checkpoint_path(const std::string& output);

std::string checkpoint_text(const snapshot& contents);
// Throws input_error("checkpoint-damaged") where `text` is not a complete checkpoint of this version.
snapshot parse_checkpoint(const std::string& text, const std::string& path);

// Throws file-foreign where write_checkpoint would overwrite what is not ours. Needs the lock of the output.
void require_own_checkpoint(const source_text& output);
// Returns what went wrong, or "".
std::string write_checkpoint(const std::string& path, const snapshot& contents);
// Nothing when there is no such file; throws checkpoint-damaged.
std::optional<snapshot> read_checkpoint(const std::string& path);

// What a run is made of; a checkpoint continues only a run with the same.
using run_identity = std::vector<std::pair<std::string, std::string>>;

// Where a resumed run goes on.
template <class S>
struct resumed_run {
  phase_state<S> state;
  output_mark<S> output;
  double seconds = 0;  // spent stepping before
};

// Puts `workspace` and `meter` back to where the checkpoint was taken. Throws input_error: checkpoint-foreign where it
// belongs to another run (naming the first difference), checkpoint-damaged where its contents do not fit. `columns`:
// how many the output has, the usual ones where nothing is said.
template <class S>
resumed_run<S> resume(const snapshot& from, const run_identity& identity, const std::string& path,
                      const integrator<S>& integrator, step_workspace<S>& workspace, certificate_meter<S>& meter,
                      std::optional<std::size_t> columns = {});

struct checkpoint_plan {
  std::string path;
  run_identity identity;
  std::size_t every = 0;  // steps; 0: every half minute, from the first minute on
};

// The observer that takes checkpoints. `commit` brings the output to the disk and says how far it is; where it could
// not, the checkpoint before stays.
template <class S>
class checkpoint_writer final : public observer<S> {
 public:
  using committer = std::function<std::optional<output_mark<S>>()>;
  checkpoint_writer(checkpoint_plan plan, committer commit, std::size_t taken_at);

  void observe(const sample<S>& now) override;
  // Takes a checkpoint now, of the last step that was seen.
  void take(const phase_state<S>& state, const step_workspace<S>& workspace, const certificate_meter<S>& meter,
            double seconds);
  bool any() const { return any_; }
  const std::string& error() const { return error_; }

 private:
  using clock = std::chrono::steady_clock;
  checkpoint_plan plan_;
  committer commit_;
  std::size_t last_index_;
  clock::time_point next_;
  bool any_ = false;
  std::string error_;
};

}  // namespace actio
