#include "actio/io/csv_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace actio {

namespace {

constexpr std::size_t buffer_size = 1 << 16;

// Names with commas or quotes stand in quotes, as RFC 4180 has it.
std::string column_name(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string result = "\"";
  for (char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

template <class S>
void append_number(std::string& text, const S& value) {
  if constexpr (std::same_as<S, double>) {
    fmt::format_to(std::back_inserter(text), "{}", value);
  } else {
    text += to_digits(value);
  }
}

}  // namespace

template <class S>
csv_writer<S>::csv_writer(const phase_space<S>& space, const std::string& path, std::size_t every,
                          const source_place& place)
    : file_(std::fopen(path.c_str(), "w")), every_(every) {
  if (!file_) {
    throw input_error("output-unwritable", fmt::format("cannot write '{}': {}", path, std::strerror(errno)), place,
                      "give a path in a folder that exists and may be written to");
  }
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  std::vector<std::string> columns = {"t"}, momenta;
  for (const expr& q : space.system().coordinates) columns.push_back(q.name());
  for (const expr& p : space.system().momenta()) momenta.push_back(p.name());
  columns.insert(columns.end(), momenta.begin(), momenta.end());
  columns.emplace_back("energy");
  columns.insert(columns.end(), space.observable_names().begin(), space.observable_names().end());
  for (std::size_t k = 0; k < space.momentum_names().size(); ++k) {
    if (std::ranges::find(momenta, space.momentum_names()[k]) != momenta.end()) continue;
    symmetry_momenta_.push_back(k);
    columns.push_back(space.momentum_names()[k]);
  }
  row_.reserve(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) buffer_ += (k > 0 ? "," : "") + column_name(columns[k]);
  buffer_ += '\n';
  write_out();
}

template <class S>
csv_writer<S>::~csv_writer() {
  finish();
}

template <class S>
void csv_writer<S>::observe(const sample<S>& now) {
  if (failed()) return;
  read_row(now);
  if (now.state.index % every_ == 0) write_row();
}

template <class S>
bool csv_writer<S>::finish() {
  if (row_is_pending_) write_row();
  write_out();
  return !failed();
}

template <class S>
void csv_writer<S>::read_row(const sample<S>& now) {
  row_.clear();
  row_.push_back(now.state.time);
  row_.insert(row_.end(), now.state.position.value.begin(), now.state.position.value.end());
  row_.insert(row_.end(), now.state.momentum.value.begin(), now.state.momentum.value.end());
  row_.push_back(now.point.energy());
  const auto observables = now.point.observables();
  row_.insert(row_.end(), observables.begin(), observables.end());
  for (std::size_t k : symmetry_momenta_) row_.push_back(now.point.momenta()[k]);
  row_is_pending_ = true;
}

template <class S>
void csv_writer<S>::write_row() {
  for (std::size_t k = 0; k < row_.size(); ++k) {
    if (k > 0) buffer_ += ',';
    append_number(buffer_, row_[k]);
  }
  buffer_ += '\n';
  row_is_pending_ = false;
  ++rows_;
  if (buffer_.size() >= buffer_size) write_out();
}

// Whole lines at a time, so that a file that ends early ends with a complete line.
template <class S>
void csv_writer<S>::write_out() {
  if (buffer_.empty() || failed()) return;
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) error_ = std::strerror(errno);
  buffer_.clear();
}

#define ACTIO_INSTANTIATE(S) template class csv_writer<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
