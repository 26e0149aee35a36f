// What the page about a run draws, recorded while it runs: in constant memory, whatever the number of steps.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/io/field_record.hpp"
#include "actio/io/motion_frames.hpp"
#include "actio/io/thinned_series.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

enum class report_quantity {
  coordinate,
  momentum,
  energy,
  work,
  energy_error,
  shadow_error,
  conserved_error,
  observable,
  multiplier,
  violation,
  iterations
};

// One column of the record.
struct report_column {
  report_quantity quantity;
  std::size_t index;  // among the quantities of its kind
  std::string name;
};

// The coordinates that a page shows one by one: all of few; of many those to which columns that somebody asked for
// belong, otherwise some that are evenly apart.
std::vector<std::size_t> shown_coordinates(const lagrangian_system& system, const std::vector<source_text>& columns);

template <class S>
class report_recorder final : public observer<S> {
 public:
  explicit report_recorder(const phase_space<S>& space, const model_view& view = {}, bool has_shadow = false,
                           const std::vector<source_text>& columns = {});

  void observe(const sample<S>& now) override;

  // The state that was seen first; a resumed run does not begin at 0. Of the coordinates that are shown.
  struct start_state {
    std::size_t index = 0;
    S time{0}, energy{0};
    std::vector<S> position, velocity, momentum, momenta;
  };
  const std::vector<std::size_t>& shown() const { return shown_; }
  const start_state& start() const { return start_; }
  const S& work() const { return work_.value; }  // since the start
  bool is_empty() const { return series_.rows() == 0; }

  // Against time. Errors are absolute, and relative to the start that was seen here.
  const std::vector<report_column>& columns() const { return columns_; }
  const thinned_series& series() const { return series_; }

  // Points (q, p) of phase space: the columns of the coordinates, then those of their momenta, where there are any.
  const std::vector<report_column>& phase_columns() const { return phase_columns_; }
  const thinned_points& phase_points() const { return phase_points_; }

  // What the view of the model shows; nullptr where it has none.
  const motion_frames* frames() const { return frames_ ? &*frames_ : nullptr; }
  // Arrays of coordinates over their indices and time.
  const std::vector<coordinate_field>& fields() const { return fields_; }

 private:
  S value_of(const report_column& column, const sample<S>& now) const;

  std::vector<std::size_t> shown_;
  std::vector<report_column> columns_, phase_columns_;
  thinned_series series_;
  thinned_points phase_points_;
  std::optional<motion_frames> frames_;
  std::vector<coordinate_field> fields_;
  bool is_supplied_;
  start_state start_;
  compensated<S> work_;
  std::vector<double> row_, position_;
};

}  // namespace actio
