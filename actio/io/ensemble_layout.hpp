// How results of trajectories stand in rows.
//
// Columns: trajectory, the parameters that vary, NAME(0) and p_NAME(0) where it started, NAME and p_NAME where it
// ended, energy_error, error(MOMENTUM) of each conserved momentum, lyapunov where it was asked for, steps, status.
// Status is 0 for done, 1 where the equations could not be solved, 2 where they were singular, 3 where the motion left
// the domain, 4 where the start was refused.
//
// Crossings of a Poincaré section are a second table, `poincare`: trajectory, t, NAME, p_NAME. So are events, where the
// model has some, `events`: trajectory, event, t, NAME, p_NAME; event is the place among the events of the model, from
// 0.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actio/io/row_sink.hpp"
#include "actio/simulate/ensemble.hpp"

namespace actio {

inline constexpr const char *crossing_table = "poincare", *event_table = "events";

struct ensemble_layout {
  std::vector<std::string> columns;
  std::vector<std::string> crossing_columns;                 // none without a section
  std::vector<std::string> event_columns = {}, events = {};  // and the names of the events; none without events
  std::size_t positions = 0, momenta = 0, errors = 0;
  bool has_energy = true, has_lyapunov = false;
  std::vector<std::size_t> varied = {};  // places of parameters among the values that vary

  static ensemble_layout of(const ensemble_plan& plan, const ensemble_options& options);

  bool has_crossings() const { return !crossing_columns.empty(); }
  std::size_t a_crossing() const { return 1 + positions + momenta; }  // numbers of one: t, q, p
  bool has_events() const { return !event_columns.empty(); }
  std::vector<sink_table> more_tables(std::size_t keep_crossings = 0, std::size_t keep_events = 0) const;

  void write(const trajectory_result& result, std::vector<double>& row) const;
  void write_event(const trajectory_result& result, std::size_t k, std::vector<double>& row) const;
  // Adds what a row of the table of events tells; false where no event has such a row.
  bool read_event(std::span<const double> row, trajectory_result& result) const;
  // What a row tells; false where no trajectory has such a row.
  bool read(std::span<const double> row, trajectory_result& result) const;
};

}  // namespace actio
