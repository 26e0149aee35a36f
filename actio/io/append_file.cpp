#include "actio/io/append_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "actio/io/file_path.hpp"
#include "actio/io/output_lock.hpp"
#include "actio/io/own_file.hpp"

namespace actio {

namespace {

constexpr std::size_t buffer_size = 1 << 18;

// Writes all it can; `written` says how much that was.
std::string write_all(int descriptor, std::string_view bytes, std::size_t* written = nullptr) {
  const std::size_t all = bytes.size();
  std::string error;
  while (!bytes.empty() && error.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) error = std::strerror(count < 0 ? errno : ENOSPC);
    else bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (written) *written = all - bytes.size();
  return error;
}

// A new file for `path` to be moved there, in its folder, with a name that nobody has.
struct fresh_file {
  std::string name;
  int descriptor = -1;
};

fresh_file fresh_file_for(const std::string& path) {
  fresh_file file;
  for (int k = 0; k < 1000; ++k) {
    file.name = fmt::format("{}.{}-{}.new", path, ::getpid(), k);
    file.descriptor = create_own_file(file.name);
    if (file.descriptor >= 0 || errno != EEXIST) break;
  }
  return file;
}

// The same with a name that belongs to the one writer of `path`: what a killed one left went with its lock.
fresh_file own_file_for(const std::string& path) {
  const std::string name = path + ".new";
  return {name, create_own_file(name)};
}

// Fills `file` by `fill`, then moves it to `path`, with the rights of what stood there.
template <class Fill>
std::string replaced(const std::string& path, const fresh_file& file, Fill&& fill) {
  if (file.descriptor < 0) return fmt::format("'{}': {}", file.name, std::strerror(errno));
  struct stat before{};
  if (::stat(path.c_str(), &before) == 0) static_cast<void>(::fchmod(file.descriptor, before.st_mode & 07777) == 0);
  std::string error = fill(file.descriptor);
  if (error.empty() && ::fsync(file.descriptor) != 0) error = std::strerror(errno);
  ::close(file.descriptor);
  if (error.empty() && std::rename(file.name.c_str(), path.c_str()) != 0) error = std::strerror(errno);
  if (!error.empty()) ::unlink(file.name.c_str());
  return error;
}

}  // namespace

input_error output_unwritable(const source_text& path, const std::string& reason) {
  return {"output-unwritable", fmt::format("cannot write '{}': {}", path.text, reason), path.origin,
          "give a path in a folder that exists and may be written to"};
}

append_file::append_file(const source_text& path, bool existing, bool held)
    : descriptor_(::open(path.text.c_str(), O_RDWR | O_CLOEXEC | (existing ? 0 : O_CREAT), 0666)), held_(held) {
  if (descriptor_ < 0) throw output_unwritable(path, std::strerror(errno));
  // The lock beside an output knows it by its name alone; this one finds a second name of the same file.
  if (!is_device(path.text) && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const std::string holder = lock_holder_of(descriptor_);
    ::close(descriptor_);
    throw output_in_use(path, holder);
  }
  if (!existing && !is_device(path.text)) truncate(0);
}

append_file::~append_file() {
  write_out();
  ::close(descriptor_);
}

void append_file::append(std::string_view record) {
  if (!error_.empty()) return;
  buffer_ += record;
  ends_.push_back(buffer_.size());
  if (buffer_.size() >= buffer_size && !held_) write_out();
}

// Of what a full disk took only in part, whole records stay.
void append_file::write_out() {
  if (buffer_.empty() || !error_.empty()) return;
  const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);
  std::size_t written = 0;
  error_ = write_all(descriptor_, buffer_, &written);
  const auto whole = std::ranges::upper_bound(ends_, written);
  records_ += static_cast<std::size_t>(whole - ends_.begin());
  if (!error_.empty()) {
    const off_t end = before + static_cast<off_t>(whole == ends_.begin() ? 0 : *(whole - 1));
    if (::ftruncate(descriptor_, end) == 0) ::lseek(descriptor_, end, SEEK_SET);
  }
  buffer_.clear();
  ends_.clear();
}

void append_file::overwrite(std::uint64_t at, std::string_view bytes) {
  const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
  if (count != static_cast<ssize_t>(bytes.size()) && error_.empty()) {
    error_ = std::strerror(count < 0 ? errno : ENOSPC);
  }
}

void append_file::truncate(std::uint64_t size) {
  write_out();
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0) {
    error_ = std::strerror(errno);
  }
}

void append_file::flush() {
  write_out();
  if (error_.empty() && ::fdatasync(descriptor_) != 0 && errno != EINVAL) error_ = std::strerror(errno);
}

std::optional<std::uint64_t> append_file::end_of_lines(std::size_t lines) const {
  std::string block(1 << 16, '\0');
  for (std::uint64_t at = 0; lines > 0;) {
    const ssize_t got = ::pread(descriptor_, block.data(), block.size(), static_cast<off_t>(at));
    if (got <= 0) return {};
    for (ssize_t k = 0; k < got; ++k) {
      if (block[static_cast<std::size_t>(k)] == '\n' && --lines == 0) return at + static_cast<std::uint64_t>(k) + 1;
    }
    at += static_cast<std::uint64_t>(got);
  }
  return 0;
}

std::string append_file::head(std::size_t size) const {
  std::string bytes(size, '\0');
  const ssize_t got = ::pread(descriptor_, bytes.data(), size, 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

std::uint64_t append_file::size() const {
  struct stat status{};
  return ::fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string replace_file(const std::string& path, std::string_view contents) {
  if (is_device(path)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return std::strerror(errno);
    const std::string error = write_all(descriptor, contents);
    ::close(descriptor);
    return error;
  }
  const std::string end = followed(path);
  return replaced(end, fresh_file_for(end), [&](int descriptor) { return write_all(descriptor, contents); });
}

std::string replace_own_file(const std::string& path, std::string_view contents) {
  return replaced(path, own_file_for(path), [&](int descriptor) { return write_all(descriptor, contents); });
}

std::string replace_obstacle(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return std::strerror(EISDIR);
    if (::access(path.c_str(), W_OK) != 0) return std::strerror(errno);
    if (is_device(path)) return "";
  }
  const fresh_file file = fresh_file_for(followed(path));
  if (file.descriptor < 0) return std::strerror(errno);
  ::close(file.descriptor);
  ::unlink(file.name.c_str());
  return "";
}

std::string replace_by_copy(const std::string& from, const std::string& to) {
  return replaced(to, own_file_for(to), [&](int descriptor) { return copy_into(descriptor, from); });
}

}  // namespace actio
