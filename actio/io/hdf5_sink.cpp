// HDF5: one dataset a column under /trajectory, other tables under /NAME, everything about the run under /run.
//
// HDF5 itself leaves a broken file behind when its process dies inside a write. Rows therefore go to PATH.part, and
// every flush publishes a complete copy as PATH by one rename: whatever happens, PATH opens and holds all rows up to
// the last flush. Higher precisions are stored as decimal texts, without loss.
#ifdef ACTIO_WITH_HDF5

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "actio/base/scalar.hpp"
#include "actio/io/append_file.hpp"
#include "actio/io/hdf5_file.hpp"
#include "actio/io/row_sink.hpp"

namespace actio {

namespace {

constexpr std::size_t chunk_rows = 8192;

// A slash would make a folder.
std::vector<std::string> dataset_names(std::vector<std::string> names) {
  for (std::string& name : names) std::ranges::replace_if(name, [](char c) { return c == '/' || c == '\n'; }, '_');
  return names;
}

// The columns of one group. Nothing throws: what fails gives false, and errno says why where it can.
template <class S>
class hdf5_table {
 public:
  hdf5_table() : width_(std::same_as<S, double> ? sizeof(double) : text_width<S>()), type_(hdf5_type<S>(width_)) {}

  bool create(hid_t file, const std::string& group_name, const std::vector<std::string>& columns) {
    const hdf5_handle group(H5Gcreate2(file, group_name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = chunk_rows;
    const hdf5_handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
    const hdf5_handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(properties.id(), 1, &chunk);
    H5Pset_shuffle(properties.id());
    H5Pset_deflate(properties.id(), 1);
    for (const std::string& name : dataset_names(columns)) {
      columns_.emplace_back(
          H5Dcreate2(group.id(), name.c_str(), type_.id(), space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
          H5Dclose);
      if (!columns_.back()) return false;
    }
    reserve();
    return true;
  }

  // Goes on after `rows` rows of a group that is there; what is wrong with it, or "".
  std::string reopen(hid_t file, const std::string& group_name, const std::vector<std::string>& columns,
                     std::size_t rows) {
    for (const std::string& name : dataset_names(columns)) {
      columns_.emplace_back(H5Dopen2(file, (group_name + "/" + name).c_str(), H5P_DEFAULT), H5Dclose);
      if (!columns_.back()) return fmt::format("it has no column '{}'", name);
      if (row_count(columns_.back().id()) < rows) return "it has fewer rows than the checkpoint speaks of";
      const hsize_t kept = rows;
      H5Dset_extent(columns_.back().id(), &kept);
    }
    written_ = rows;
    reserve();
    return "";
  }

  bool append(std::span<const S> row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      if constexpr (std::same_as<S, double>) {
        const char* bytes = reinterpret_cast<const char*>(&row[k]);
        buffers_[k].insert(buffers_[k].end(), bytes, bytes + sizeof(double));
      } else {
        std::string digits = to_digits(row[k]);
        digits.resize(width_, '\0');
        buffers_[k].insert(buffers_[k].end(), digits.begin(), digits.end());
      }
    }
    return ++buffered_ < chunk_rows || write_buffers();
  }

  bool write_buffers() {
    if (buffered_ == 0) return true;
    const hsize_t start = written_, count = buffered_, total = written_ + buffered_;
    const hdf5_handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    errno = 0;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const hid_t column = columns_[k].id();
      if (H5Dset_extent(column, &total) < 0) return false;
      const hdf5_handle target(H5Dget_space(column), H5Sclose);
      H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, &start, nullptr, &count, nullptr);
      if (H5Dwrite(column, type_.id(), memory.id(), target.id(), H5P_DEFAULT, buffers_[k].data()) < 0) return false;
      buffers_[k].clear();
    }
    written_ += buffered_;
    buffered_ = 0;
    return true;
  }

  void abandon() {
    for (hdf5_handle& column : columns_) column.abandon();
  }

 private:
  void reserve() {
    buffers_.resize(columns_.size());
    for (auto& buffer : buffers_) buffer.reserve(chunk_rows * width_);
  }

  std::size_t width_;
  hdf5_handle type_;
  std::vector<hdf5_handle> columns_;
  std::vector<std::vector<char>> buffers_;
  std::size_t buffered_ = 0, written_ = 0;
};

template <class S>
class hdf5_sink final : public row_sink<S> {
 public:
  explicit hdf5_sink(const sink_request& request)
      : path_(request.path.text), part_(path_ + ".part"), tables_(1 + request.more.size()) {
    request.keep_rows == 0 ? create(request) : reopen(request);
  }
  ~hdf5_sink() override {
    if (file_) close();
  }

  void append(std::span<const S> row) override {
    if (this->failed()) return;
    ++this->rows_;
    if (!tables_[0].append(row)) fail();
  }

  void append_to(std::size_t table, std::span<const S> row) override {
    if (!this->failed() && !tables_[1 + table].append(row)) fail();
  }

  void flush() override {
    write_buffers();
    if (this->failed()) return;
    errno = 0;
    if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) return fail();
    const std::string error = replace_by_copy(part_, path_);
    if (error.empty()) return;
    // No room for a copy: what is flushed is complete, so it becomes the file itself.
    this->error_ = error;
    release();
    std::rename(part_.c_str(), path_.c_str());
  }

  void annotate(const std::string& name, const std::string& text) override {
    if (!this->failed() && !write_text(file_.id(), "/run/" + name, text)) fail();
  }

  void close() override {
    write_buffers();
    if (this->failed()) return;
    if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) return fail();
    release();
    if (std::rename(part_.c_str(), path_.c_str()) != 0) this->error_ = std::strerror(errno);
  }

 private:
  void create(const sink_request& request) {
    file_ = hdf5_handle(H5Fcreate(part_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    if (!file_) unwritable(request);
    const hdf5_handle run(H5Gcreate2(file_.id(), "/run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    for (const auto& [name, text] : request.metadata) write_text(file_.id(), "/run/" + name, text);
    std::string order;
    for (const std::string& name : dataset_names(request.columns)) order += name + "\n";
    write_text(file_.id(), "/run/columns", order);
    if (!tables_[0].create(file_.id(), "/trajectory", request.columns)) unwritable(request);
    for (std::size_t k = 0; k < request.more.size(); ++k) {
      const sink_table& table = request.more[k];
      if (!tables_[1 + k].create(file_.id(), "/" + table.name, table.columns)) unwritable(request);
    }
  }

  void reopen(const sink_request& request) {
    const auto foreign = [&](const std::string& why) {
      return input_error("checkpoint-foreign", fmt::format("'{}' cannot be continued: {}", path_, why),
                         request.path.origin, "leave --resume out to start afresh");
    };
    ACTIO_ASSERT(request.more.empty());
    if (const std::string error = replace_by_copy(path_, part_); !error.empty()) throw foreign(error);
    file_ = hdf5_handle(H5Fopen(part_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    if (!file_) throw foreign("it is not an HDF5 file");
    const std::string wrong = tables_[0].reopen(file_.id(), "/trajectory", request.columns, request.keep_rows);
    if (!wrong.empty()) throw foreign(wrong);
    for (const auto& [name, text] : request.metadata) write_text(file_.id(), "/run/" + name, text);
    this->rows_ = request.keep_rows;
  }

  [[noreturn]] void unwritable(const sink_request& request) {
    const std::string reason = errno ? std::strerror(errno) : "HDF5 could not create it";
    throw input_error("output-unwritable", fmt::format("cannot write '{}': {}", path_, reason), request.path.origin,
                      "give a path in a folder that exists and may be written to");
  }

  void write_buffers() {
    for (hdf5_table<S>& table : tables_) {
      if (!this->failed() && !table.write_buffers()) fail();
    }
  }

  void fail() {
    this->error_ = errno ? std::strerror(errno) : "HDF5 could not write";
    for (hdf5_table<S>& table : tables_) table.abandon();
    file_.abandon();
  }

  void release() {
    tables_.clear();
    file_ = {};
  }

  std::string path_, part_;
  hdf5_handle file_;
  std::vector<hdf5_table<S>> tables_;  // the main one first
};

}  // namespace

template <class S>
std::unique_ptr<row_sink<S>> open_hdf5(const sink_request& request) {
  silence_hdf5();
  return std::make_unique<hdf5_sink<S>>(request);
}

#define ACTIO_INSTANTIATE(S) template std::unique_ptr<row_sink<S>> open_hdf5<S>(const sink_request&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio

#endif
