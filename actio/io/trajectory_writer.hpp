// The observer that writes a trajectory: which columns, which steps, and when they become durable.
//
// Columns: t, the coordinates, their momenta p_NAME, energy, the observables, the momenta of symmetries, and
// the multipliers lambda_NAME of constraints: ∂g/∂q times lambda is the force that holds the constraint. Equations y' =
// f(t, y) without a Lagrangian have no momenta and no energy.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "actio/io/row_sink.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

struct output_request {
  source_text path;
  std::size_t every = 1;
  run_metadata metadata = {};
  std::size_t keep_rows = 0;  // continue after so many rows
};

// The names of the columns, in order.
template <class S>
std::vector<std::string> trajectory_columns(const phase_space<S>& space);
// The values of those columns.
template <class S>
void trajectory_row(const sample<S>& now, std::vector<S>& row);

template <class S>
class trajectory_writer final : public observer<S> {
 public:
  trajectory_writer(const phase_space<S>& space, const output_request& request);

  // Writes step 0 and every `every`-th step; keeps the others in mind in case they turn out to be the last.
  void observe(const sample<S>& now) override;

  // Brings the rows written so far to the disk and tells how many there are; the pending one does not count.
  std::size_t commit();
  // Writes the last step that was seen as well, adds the certificate and closes. False when something could not be
  // written.
  bool finish(const std::string& certificate);

  bool failed() const { return sink_ ? sink_->failed() : !error_.empty(); }
  // What the system says about the failure: "No space left on device".
  const std::string& error() const { return sink_ ? sink_->error() : error_; }
  std::size_t rows() const { return rows_; }

 private:
  using clock = std::chrono::steady_clock;
  std::unique_ptr<row_sink<S>> sink_;
  std::size_t every_, rows_;
  std::vector<S> row_;
  bool row_is_pending_ = false;
  std::string error_;
  clock::time_point committed_;
  clock::duration pause_;
};

}  // namespace actio
