#include "actio/io/trajectory_writer.hpp"

#include <algorithm>

namespace actio {

namespace {

using namespace std::chrono_literals;

// Between two commits, at least this long, and so long that committing takes a small part of the time.
constexpr auto shortest_pause = 2s;
constexpr int pause_per_cost = 20;

}  // namespace

template <class S>
std::vector<std::string> trajectory_columns(const phase_space<S>& space) {
  std::vector<std::string> columns{"t"};
  for (const expr& q : space.system().coordinates) columns.push_back(q.name());
  for (const expr& p : space.system().momenta()) columns.push_back(p.name());
  if (space.has_energy()) columns.emplace_back("energy");
  columns.insert(columns.end(), space.observable_names().begin(), space.observable_names().end());
  for (const std::size_t k : space.unlisted_momenta()) columns.push_back(space.momentum_names()[k]);
  columns.insert(columns.end(), space.multiplier_names().begin(), space.multiplier_names().end());
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
}

template <class S>
trajectory_writer<S>::trajectory_writer(const phase_space<S>& space, const output_request& request)
    : sink_(open_sink<S>({request.path, trajectory_columns(space), request.metadata, request.keep_rows})),
      every_(request.every),
      rows_(request.keep_rows),
      pause_(shortest_pause) {
  commit();
}

template <class S>
void trajectory_writer<S>::observe(const sample<S>& now) {
  if (failed()) return;
  trajectory_row(now, row_);
  row_is_pending_ = now.state.index % every_ != 0;
  if (row_is_pending_) return;
  sink_->append(row_);
  ++rows_;
  if (rows_ % 1024 == 0 && clock::now() - committed_ > pause_) commit();
}

template <class S>
std::size_t trajectory_writer<S>::commit() {
  const auto start = clock::now();
  sink_->flush();
  committed_ = clock::now();
  pause_ = std::max<clock::duration>(shortest_pause, pause_per_cost * (committed_ - start));
  return rows_;
}

template <class S>
bool trajectory_writer<S>::finish(const std::string& certificate) {
  if (!sink_) return error_.empty();
  if (row_is_pending_ && !failed()) {
    sink_->append(row_);
    ++rows_;
  }
  if (!certificate.empty()) sink_->annotate("certificate", certificate);
  sink_->close();
  error_ = sink_->error();
  sink_.reset();
  return error_.empty();
}

#define ACTIO_INSTANTIATE(S)                                                      \
  template std::vector<std::string> trajectory_columns<S>(const phase_space<S>&); \
  template void trajectory_row<S>(const sample<S>&, std::vector<S>&);             \
  template class trajectory_writer<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
