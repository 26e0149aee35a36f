#include "actio/io/trajectory_writer.hpp"

#include <algorithm>
#include <utility>

#include "actio/simulate/certificate_meter.hpp"

namespace actio {

template <class S>
std::vector<std::string> trajectory_columns(const phase_space<S>& space, bool has_shadow) {
  std::vector<std::string> columns{"t"};
  for (const expr& q : space.system().coordinates) columns.push_back(q.name());
  for (const expr& p : space.system().momenta()) columns.push_back(p.name());
  if (space.has_energy()) columns.emplace_back("energy");
  columns.insert(columns.end(), space.observable_names().begin(), space.observable_names().end());
  for (const std::size_t k : space.unlisted_momenta()) columns.push_back(space.momentum_names()[k]);
  columns.insert(columns.end(), space.multiplier_names().begin(), space.multiplier_names().end());
  if (has_shadow) columns.insert(columns.end(), {"shadow_time", "shadow_energy"});
  return columns;
}

template <class S>
void trajectory_row(const sample<S>& now, std::vector<S>& row) {
  row.clear();
  row.push_back(now.state.time);
  row.insert(row.end(), now.state.position.value.begin(), now.state.position.value.end());
  row.insert(row.end(), now.state.momentum.value.begin(), now.state.momentum.value.end());
  if (now.point.space().has_energy()) row.push_back(now.point.energy());
  const auto observables = now.point.observables();
  row.insert(row.end(), observables.begin(), observables.end());
  for (const std::size_t k : now.point.space().unlisted_momenta()) row.push_back(now.point.momenta()[k]);
  const auto multipliers = now.point.multipliers();
  row.insert(row.end(), multipliers.begin(), multipliers.end());
  if (const shadow_meter<S>* shadow = now.meter.shadow()) row.insert(row.end(), {shadow->time(), shadow->energy()});
}

template <class S>
trajectory_layout<S>::trajectory_layout(const phase_space<S>& space, bool has_shadow,
                                        const std::vector<source_text>& asked, bool beside)
    : names_(trajectory_columns(space, has_shadow)) {
  if (asked.empty()) return;
  std::vector<std::string> known = names_;
  for (const expr& v : space.system().velocities()) known.push_back(v.name());
  if (!beside) names_ = {"t"};
  for (const source_text& column : asked) {
    if (std::ranges::find(known, column.text) == known.end()) {
      throw input_error("unknown-column", "a trajectory has no column '" + column.text + "'", column.origin,
                        suggest(column.text, known));
    }
    if (std::ranges::find(names_, column.text) == names_.end()) names_.push_back(column.text);
  }
  for (const std::string& name : names_) {
    places_.push_back(static_cast<std::size_t>(std::ranges::find(known, name) - known.begin()));
  }
}

template <class S>
void trajectory_layout<S>::fill(const sample<S>& now, std::vector<S>& row) {
  if (places_.empty()) return trajectory_row(now, row);
  trajectory_row(now, all_);
  all_.insert(all_.end(), now.point.velocity().begin(), now.point.velocity().end());
  row.clear();
  for (const std::size_t k : places_) row.push_back(all_[k]);
}

template <class S>
trajectory_writer<S>::trajectory_writer(const phase_space<S>& space, const output_request<S>& request)
    : layout_(space, request.has_shadow, request.columns),
      sink_(open_sink<S>({.path = request.path,
                          .columns = layout_.names(),
                          .metadata = request.metadata,
                          .keep_rows = request.from.rows,
                          .more = {},
                          .lock = request.lock})),
      every_(request.every),
      rows_(request.from.rows),
      row_(request.from.pending),
      row_is_pending_(!request.from.pending.empty()) {
  commit();
}

template <class S>
trajectory_writer<S>::trajectory_writer(std::unique_ptr<row_sink<S>> sink, trajectory_layout<S> layout,
                                        std::size_t every)
    : layout_(std::move(layout)), sink_(std::move(sink)), every_(every), rows_(0), row_is_pending_(false) {}

template <class S>
void trajectory_writer<S>::observe(const sample<S>& now) {
  if (failed()) return;
  layout_.fill(now, row_);
  row_is_pending_ = now.state.index % every_ != 0;
  if (row_is_pending_) return;
  append();
  if (rhythm_.is_due()) commit();
}

template <class S>
void trajectory_writer<S>::write(const sample<S>& now) {
  if (failed()) return;
  layout_.fill(now, row_);
  append();
  if (rhythm_.is_due()) commit();
}

template <class S>
void trajectory_writer<S>::append() {
  sink_->append(row_);
  ++rows_;
}

template <class S>
std::optional<output_mark<S>> trajectory_writer<S>::commit() {
  rhythm_.carry_out([&] { sink_->flush(); });
  if (sink_->kept_rows() != rows_) return {};
  return output_mark<S>{rows_, row_is_pending_ ? row_ : std::vector<S>()};
}

template <class S>
bool trajectory_writer<S>::finish(const std::string& certificate) {
  if (!sink_) return error_.empty();
  if (row_is_pending_ && !failed()) append();
  if (!certificate.empty()) sink_->annotate("certificate", certificate);
  sink_->close();
  error_ = sink_->error();
  kept_rows_ = sink_->kept_rows();
  sink_.reset();
  return error_.empty();
}

#define ACTIO_INSTANTIATE(S)                                                            \
  template std::vector<std::string> trajectory_columns<S>(const phase_space<S>&, bool); \
  template void trajectory_row<S>(const sample<S>&, std::vector<S>&);                   \
  template class trajectory_layout<S>;                                                  \
  template class trajectory_writer<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
