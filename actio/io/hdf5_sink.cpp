// HDF5: one dataset a column under /trajectory, other tables under /NAME, everything about the run under /run.
//
// HDF5 itself leaves a broken file behind when its process dies inside a write. Rows therefore go to PATH.part, and
// every flush publishes a complete copy as PATH by one rename: whatever happens, PATH opens and holds all rows up to
// the last flush. Nor does HDF5 survive a write that the disk refuses: room is reserved before it writes, and where
// there is none left, what it has becomes PATH. Higher precisions are stored as decimal texts, without loss.
#ifdef ACTIO_WITH_HDF5

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "actio/base/scalar.hpp"
#include "actio/expr/indices.hpp"
#include "actio/io/append_file.hpp"
#include "actio/io/file_path.hpp"
#include "actio/io/hdf5_file.hpp"
#include "actio/io/own_file.hpp"
#include "actio/io/row_sink.hpp"

namespace actio {

namespace {

constexpr std::size_t most_chunk_rows = 8192, fewest_chunk_rows = 8;

// The datasets of one group (blocks_of_names). Nothing throws: what fails gives false, and errno says why where it can.
template <class S>
class hdf5_table {
 public:
  hdf5_table() : width_(std::same_as<S, double> ? sizeof(double) : text_width<S>()), type_(hdf5_type<S>(width_)) {}

  bool create(hid_t file, const std::string& group_name, const std::vector<std::string>& columns) {
    const hdf5_handle group(H5Gcreate2(file, group_name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    lay_out(columns);
    const hdf5_handle access = without_cache();
    for (const name_block& block : blocks_) {
      const int dimensions = block.is_array() ? 2 : 1;
      const hsize_t none[2] = {0, block.count}, unlimited[2] = {H5S_UNLIMITED, block.count},
                    chunk[2] = {chunk_rows_, block.count};
      const hdf5_handle space(H5Screate_simple(dimensions, none, unlimited), H5Sclose);
      const hdf5_handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
      H5Pset_chunk(properties.id(), dimensions, chunk);
      H5Pset_shuffle(properties.id());
      H5Pset_deflate(properties.id(), 1);
      sets_.emplace_back(
          H5Dcreate2(group.id(), block.name.c_str(), type_.id(), space.id(), H5P_DEFAULT, properties.id(), access.id()),
          H5Dclose);
      if (!sets_.back()) return false;
    }
    return true;
  }

  // Goes on after `rows` rows of a group that is there; what is wrong with it, or "".
  std::string reopen(hid_t file, const std::string& group_name, const std::vector<std::string>& columns,
                     std::size_t rows) {
    lay_out(columns);
    const hdf5_handle access = without_cache();
    for (const name_block& block : blocks_) {
      sets_.emplace_back(H5Dopen2(file, (group_name + "/" + block.name).c_str(), access.id()), H5Dclose);
      if (!sets_.back()) return fmt::format("it has no column '{}'", block.name);
      if (row_count(sets_.back().id()) < rows) return "it has fewer rows than the checkpoint speaks of";
      const hsize_t kept[2] = {rows, block.count};
      if (H5Dset_extent(sets_.back().id(), kept) < 0)
        return fmt::format("its column '{}' has another shape", block.name);
    }
    written_ = rows;
    return "";
  }

  // Whether a chunk is complete and wants to be written; so each is compressed once, and once more where a flush
  // comes between.
  bool append(std::span<const S> row) {
    for (std::size_t d = 0; d < blocks_.size(); ++d) {
      std::vector<char>& buffer = buffers_[d];
      for (const S& value : row.subspan(blocks_[d].first, blocks_[d].count)) {
        if constexpr (std::same_as<S, double>) {
          const char* bytes = reinterpret_cast<const char*>(&value);
          buffer.insert(buffer.end(), bytes, bytes + sizeof(double));
        } else {
          std::string digits = to_digits(value);
          digits.resize(width_, '\0');
          buffer.insert(buffer.end(), digits.begin(), digits.end());
        }
      }
    }
    return (written_ + ++buffered_) % chunk_rows_ == 0;
  }

  // Bytes by which the file may grow when the buffers are written: a chunk is stored whole, in the worst case without
  // being compressed and at another place than before, and its index may need another node.
  std::size_t room_needed() const {
    constexpr std::size_t a_node = 8192;
    if (buffered_ == 0) return 0;
    const std::size_t chunks = (written_ % chunk_rows_ + buffered_ + chunk_rows_ - 1) / chunk_rows_;
    return columns_ * chunks * (chunk_rows_ * width_ * 101 / 100 + 64) + sets_.size() * a_node;
  }

  std::size_t written() const { return written_; }

  bool write_buffers() {
    if (buffered_ == 0) return true;
    errno = 0;
    for (std::size_t d = 0; d < sets_.size(); ++d) {
      const hid_t set = sets_[d].id();
      const hsize_t start[2] = {written_, 0}, count[2] = {buffered_, blocks_[d].count},
                    total[2] = {written_ + buffered_, blocks_[d].count};
      const hdf5_handle memory(H5Screate_simple(blocks_[d].is_array() ? 2 : 1, count, nullptr), H5Sclose);
      if (H5Dset_extent(set, total) < 0) return false;
      const hdf5_handle target(H5Dget_space(set), H5Sclose);
      H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start, nullptr, count, nullptr);
      if (H5Dwrite(set, type_.id(), memory.id(), target.id(), H5P_DEFAULT, buffers_[d].data()) < 0) return false;
      buffers_[d].clear();
    }
    written_ += buffered_;
    buffered_ = 0;
    return true;
  }

  void abandon() {
    for (hdf5_handle& set : sets_) set.abandon();
  }

 private:
  // Chunks are written at once, while the room reserved for them is there.
  static hdf5_handle without_cache() {
    hdf5_handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_chunk_cache(access.id(), 0, 0, 1);
    return access;
  }

  // Chunks of wide datasets have fewer rows, the same for all: they are complete together.
  void lay_out(const std::vector<std::string>& columns) {
    blocks_ = blocks_of_names(columns);
    columns_ = columns.size();
    std::size_t widest = 1;
    for (const name_block& block : blocks_) widest = std::max(widest, block.count);
    chunk_rows_ = std::clamp(most_chunk_rows / widest, fewest_chunk_rows, most_chunk_rows);
    buffers_.resize(blocks_.size());
    for (std::size_t d = 0; d < blocks_.size(); ++d) buffers_[d].reserve(chunk_rows_ * blocks_[d].count * width_);
  }

  std::size_t width_;
  hdf5_handle type_;
  std::vector<name_block> blocks_;
  std::vector<hdf5_handle> sets_;  // one a block
  std::vector<std::vector<char>> buffers_;
  std::size_t columns_ = 0, chunk_rows_ = most_chunk_rows;
  std::size_t buffered_ = 0, written_ = 0;
};

// Room on the disk behind the end of a growing file, so that what HDF5 writes there cannot fail for want of it.
class reserved_room {
 public:
  // Makes the file.
  explicit reserved_room(const std::string& path) : descriptor_(create_own_file(path)) {}
  ~reserved_room() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  reserved_room(const reserved_room&) = delete;
  reserved_room& operator=(const reserved_room&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  // Room for `size` bytes behind `end`; why there is none, or "". File systems that cannot reserve are taken at their
  // word.
  std::string reserve(std::uint64_t end, std::uint64_t size) {
    rlimit longest{};
    if (::getrlimit(RLIMIT_FSIZE, &longest) == 0 && end + size > longest.rlim_cur) return std::strerror(EFBIG);
    const std::uint64_t begin = std::min(checked_, end);
    checked_ = end;
    if (::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                    static_cast<off_t>(end + size - begin)) == 0) {
      return "";
    }
    const bool is_full = errno == ENOSPC || errno == EFBIG || errno == EDQUOT;
    return is_full ? std::strerror(errno) : "";
  }

  // Gives back what lies behind the end of the file.
  void give_back() {
    struct stat status{};
    static_cast<void>(::fstat(descriptor_, &status) == 0 && ::ftruncate(descriptor_, status.st_size) == 0);
  }

 private:
  int descriptor_;
  std::uint64_t checked_ = 0;  // there is room up to here
};

template <class S>
class hdf5_sink final : public row_sink<S> {
 public:
  explicit hdf5_sink(const sink_request& request)
      : path_(followed(request.path.text)),
        part_(path_ + ".part"),
        kept_(request.keep_rows),
        tables_(1 + request.more.size()) {
    if (is_device(path_)) throw output_unwritable(request.path, "HDF5 needs a file");
    if (const std::string obstacle = replace_obstacle(path_); !obstacle.empty()) {
      throw output_unwritable(request.path, obstacle);
    }
    for (const std::string& own : {part_, path_ + ".new"}) require_no_file(own, request.path);
    try {
      kept_ == 0 ? create(request) : reopen(request);
    } catch (...) {
      abandon();
      throw;
    }
  }
  ~hdf5_sink() override {
    if (file_) close();
  }

  void append(std::span<const S> row) override {
    if (!this->failed() && tables_[0].append(row)) write_tables();
  }

  void append_to(std::size_t table, std::span<const S> row) override {
    if (!this->failed() && tables_[1 + table].append(row)) write(tables_[1 + table]);
  }

  void flush() override {
    if (!write_all()) return;
    const std::size_t rows = tables_[0].written();
    room_->give_back();  // to the copy
    if (const std::string error = replace_by_copy(part_, path_); !error.empty()) return end_early(error);
    kept_ = rows;
  }

  void annotate(const std::string& name, const std::string& text) override {
    if (this->failed() || !has_room(text.size())) return;
    if (!write_text(file_.id(), "/run/" + name, text)) fail();
  }

  void close() override {
    if (!write_all()) return;
    publish();
  }

  std::size_t kept_rows() const override { return kept_; }

 private:
  static constexpr std::uint64_t room_for_names = 1 << 16;  // groups, headers, what is between

  void create(const sink_request& request) {
    open_room(request);
    file_ = hdf5_handle(H5Fcreate(part_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    if (!file_ || H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) unwritable(request);  // by which it is known as ours
    require_room(request);
    const hdf5_handle run(H5Gcreate2(file_.id(), "/run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    for (const auto& [name, text] : request.metadata) write_text(file_.id(), "/run/" + name, text);
    write_text(file_.id(), "/run/columns", lines_of(request.columns));
    if (!tables_[0].create(file_.id(), "/trajectory", request.columns)) unwritable(request);
    for (std::size_t k = 0; k < request.more.size(); ++k) {
      const sink_table& table = request.more[k];
      write_text(file_.id(), "/run/" + table.name + "_columns", lines_of(table.columns));
      if (!tables_[1 + k].create(file_.id(), "/" + table.name, table.columns)) unwritable(request);
    }
  }

  // What belongs to the end of the run that is continued goes: there is none yet.
  void reopen(const sink_request& request) {
    const auto foreign = [&](const std::string& why) {
      return input_error("checkpoint-foreign", fmt::format("'{}' cannot be continued: {}", request.path.text, why),
                         request.path.origin, "leave @resume out to start afresh");
    };
    if (!std::filesystem::exists(path_)) throw foreign("it is not there");
    open_room(request);
    file_ = hdf5_handle(H5Fopen(part_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    if (!file_) throw foreign("it is not an HDF5 file");
    require_room(request);
    std::string wrong = tables_[0].reopen(file_.id(), "/trajectory", request.columns, kept_);
    for (std::size_t k = 0; k < request.more.size() && wrong.empty(); ++k) {
      const sink_table& table = request.more[k];
      wrong = tables_[1 + k].reopen(file_.id(), "/" + table.name, table.columns, table.keep_rows);
    }
    if (!wrong.empty()) throw foreign(wrong);
    for (const char* end : {"/run/certificate", "/run/summary", "/run/ledger"}) {
      if (H5Lexists(file_.id(), end, H5P_DEFAULT) > 0) H5Ldelete(file_.id(), end, H5P_DEFAULT);
    }
    for (const auto& [name, text] : request.metadata) write_text(file_.id(), "/run/" + name, text);
  }

  static std::string lines_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += name + "\n";
    return text;
  }

  // What names and texts take.
  static std::uint64_t room_for(const sink_request& request) {
    std::uint64_t size = room_for_names;
    for (const auto& [name, text] : request.metadata) size += text.size() + 1024;
    const auto add = [&](const std::vector<std::string>& columns) {
      for (const std::string& name : columns) size += name.size() + 4096;
    };
    add(request.columns);
    for (const sink_table& table : request.more) add(table.columns);
    return size;
  }

  // Makes PATH.part, with what it continues. Tried before HDF5 opens the file, too: it must not meet a full disk.
  void open_room(const sink_request& request) {
    room_.emplace(part_);
    if (!room_->is_open()) throw output_unwritable(request.path, std::strerror(errno));
    const std::string uncopied = kept_ > 0 ? copy_into(room_->descriptor(), path_) : "";
    if (!uncopied.empty()) throw output_unwritable(request.path, uncopied);
    std::error_code unknown;
    const std::uintmax_t end = std::filesystem::file_size(part_, unknown);
    const std::string error = room_->reserve(unknown ? 0 : end, room_for(request));
    if (!error.empty()) throw output_unwritable(request.path, error);
  }

  void require_room(const sink_request& request) {
    const std::string error = shortage(room_for(request));
    if (!error.empty()) throw output_unwritable(request.path, error);
  }

  [[noreturn]] void unwritable(const sink_request& request) {
    throw output_unwritable(request.path, errno ? std::strerror(errno) : "HDF5 could not create it");
  }

  // Why there is no room for that many bytes more, or "".
  std::string shortage(std::uint64_t size) {
    hsize_t end = 0;
    H5Fget_filesize(file_.id(), &end);
    return room_->reserve(end, size + room_for_names);
  }

  // Where there is no room, ends with what there is.
  bool has_room(std::uint64_t size) {
    const std::string error = shortage(size);
    if (!error.empty()) end_early(error);
    return error.empty();
  }

  bool write(hdf5_table<S>& table) {
    if (!has_room(table.room_needed())) return false;
    if (!table.write_buffers()) fail();
    return !this->failed();
  }

  // The main table last: what it lists has all its rows in the others, wherever the disk is full.
  bool write_tables() {
    for (std::size_t k = tables_.size(); k-- > 0;) {
      if (!write(tables_[k])) return false;
    }
    return true;
  }

  // All rows and names, so that PATH.part is complete.
  bool write_all() {
    if (this->failed() || !write_tables()) return false;
    errno = 0;
    if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) fail();
    return !this->failed();
  }

  // Ends because of `error`, with all that was written.
  void end_early(const std::string& error) {
    this->error_ = error;
    if (!file_ || H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) return abandon();
    publish();
  }

  // PATH.part is complete and becomes PATH itself.
  void publish() {
    const std::size_t rows = tables_[0].written();
    tables_.clear();
    file_ = {};
    room_->give_back();
    room_.reset();
    if (std::rename(part_.c_str(), path_.c_str()) == 0) kept_ = rows;
    else this->error_ = std::strerror(errno);
  }

  // After a write that failed all the same: PATH stays as it was published last.
  void fail() {
    this->error_ = errno ? std::strerror(errno) : "HDF5 could not write";
    abandon();
  }

  void abandon() {
    for (hdf5_table<S>& table : tables_) table.abandon();
    file_.abandon();
    if (room_ && room_->is_open()) std::remove(part_.c_str());
  }

  std::string path_, part_;
  std::size_t kept_;  // rows that PATH has
  std::optional<reserved_room> room_;
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
