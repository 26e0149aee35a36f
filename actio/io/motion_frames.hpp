// The motion of a view in few frames, recorded while a run lasts: in constant memory, whatever the number of steps.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/backend/compiled_function.hpp"
#include "actio/mechanics/lagrangian_system.hpp"
#include "actio/mechanics/model_view.hpp"

namespace actio {

// Frames of equal distance: every `stride`-th step, and the last one where the list reaches the end of a run. A frame
// is a row of columns: the components of each point, then for each body those of its centre and of its axes.
struct frame_list {
  std::size_t stride = 1;
  std::vector<double> times, values;

  std::size_t size() const { return times.size(); }
};

// When as many frames are kept as there is room for, every other one is dropped. As soon as that would leave gaps
// across which an eye cannot follow the motion, the frames until then are kept as the beginning of the run.
class motion_frames {
 public:
  // `most_numbers` bounds what beginning and whole run have together.
  motion_frames(const model_view& view, const lagrangian_system& system, std::span<const double> parameters,
                std::size_t most_numbers);

  void add(double time, std::span<const double> position);

  std::size_t columns() const { return columns_; }
  // The whole run, evenly in time.
  frame_list whole() const;
  // Frames near enough to one another to be played smoothly; where there are none, the whole run is smooth.
  const std::optional<frame_list>& beginning() const { return beginning_; }

  // The values of parameters, which shapes and sizes depend on.
  const std::vector<double>& parameters() const { return parameters_; }

 private:
  // Appends a frame; allocates nothing where the list has room.
  void append(frame_list& frames, double time, std::span<const double> position, std::span<double> inputs,
              std::span<double> outputs) const;
  bool has_gaps_at(std::size_t stride) const;
  void halve();

  std::size_t dimensions_, points_, columns_, capacity_;
  std::vector<double> parameters_;
  std::unique_ptr<evaluation<double>> evaluation_;
  std::vector<double> inputs_, outputs_, last_position_;
  double last_time_ = 0;
  std::size_t rows_ = 0;
  frame_list kept_;
  std::optional<frame_list> beginning_;
};

}  // namespace actio
