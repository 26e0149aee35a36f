// The observer that writes a trajectory: which columns, which steps, and when they become durable.
//
// Columns: t, the coordinates, their momenta p_NAME, energy, the observables, the momenta of symmetries, and
// the multipliers lambda_NAME of constraints: ∂g/∂q times lambda is the force that holds the constraint. Equations y' =
// f(t, y) without a Lagrangian have no momenta and no energy. Where the shadow energy is followed it comes last: the
// latest that is known at the time of the row, and the time before that to which it belongs. Whoever asks for columns
// by their names gets t and these; velocities q' are then among those that there are.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actio/io/flush_rhythm.hpp"
#include "actio/io/row_sink.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

// How far an output is: its rows, and the row of the last step where `every` leaves it out unless the run ends there.
template <class S>
struct output_mark {
  std::size_t rows = 0;
  std::vector<S> pending = {};
};

template <class S>
struct output_request {
  source_text path;
  std::size_t every = 1;
  run_metadata metadata = {};
  output_mark<S> from = {};                // continue there
  bool has_shadow = false;                 // the shadow energy is followed
  std::shared_ptr<output_lock> lock = {};  // of the output, where it is taken already
  std::vector<source_text> columns = {};   // that are asked for; none: the usual ones
};

// The names of the columns, in order.
template <class S>
std::vector<std::string> trajectory_columns(const phase_space<S>& space, bool has_shadow);
// The values of those columns.
template <class S>
void trajectory_row(const sample<S>& now, std::vector<S>& row);

// The columns of one trajectory, and rows of them.
template <class S>
class trajectory_layout {
 public:
  // Throws unknown-column. `beside`: the usual columns stay, and what is asked for beside them follows.
  trajectory_layout(const phase_space<S>& space, bool has_shadow, const std::vector<source_text>& asked = {},
                    bool beside = false);
  const std::vector<std::string>& names() const { return names_; }
  void fill(const sample<S>& now, std::vector<S>& row);

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> places_;  // in the usual row with the velocities behind it; none: the usual row
  std::vector<S> all_;
};

template <class S>
class trajectory_writer final : public observer<S> {
 public:
  trajectory_writer(const phase_space<S>& space, const output_request<S>& request);
  // Rows go to `sink`, which has these columns, instead of a file.
  trajectory_writer(std::unique_ptr<row_sink<S>> sink, trajectory_layout<S> layout, std::size_t every);

  // Writes step 0 and every `every`-th step; keeps the others in mind in case they turn out to be the last.
  void observe(const sample<S>& now) override;
  // One row, whichever step it belongs to.
  void write(const sample<S>& now);

  // Brings the rows written so far to the disk; nothing where they are not all there.
  std::optional<output_mark<S>> commit();
  // Writes the last step that was seen as well, adds the certificate and closes. False when something could not be
  // written.
  bool finish(const std::string& certificate);

  bool failed() const { return sink_ ? sink_->failed() : !error_.empty(); }
  // What the system says about the failure: "No space left on device".
  const std::string& error() const { return sink_ ? sink_->error() : error_; }
  // Rows that the file is known to hold.
  std::size_t kept_rows() const { return sink_ ? sink_->kept_rows() : kept_rows_; }

 private:
  void append();
  trajectory_layout<S> layout_;
  std::unique_ptr<row_sink<S>> sink_;
  std::size_t every_, rows_, kept_rows_ = 0;
  std::vector<S> row_;
  bool row_is_pending_;
  std::string error_;
  flush_rhythm rhythm_;
};

}  // namespace actio
