#include "actio/io/append_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace actio {

namespace {

constexpr std::size_t buffer_size = 1 << 18;

std::string write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return std::strerror(written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return "";
}

// Fills a new file beside `path` by `fill`, then moves it there.
template <class Fill>
std::string replaced(const std::string& path, Fill&& fill) {
  const std::string fresh = path + ".new";
  const int descriptor = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return std::strerror(errno);
  std::string error = fill(descriptor);
  if (error.empty() && ::fsync(descriptor) != 0) error = std::strerror(errno);
  ::close(descriptor);
  if (error.empty() && std::rename(fresh.c_str(), path.c_str()) != 0) error = std::strerror(errno);
  if (!error.empty()) ::unlink(fresh.c_str());
  return error;
}

}  // namespace

append_file::append_file(const source_text& path, bool existing)
    : descriptor_(::open(path.text.c_str(), O_RDWR | O_CLOEXEC | (existing ? 0 : O_CREAT | O_TRUNC), 0666)) {
  if (descriptor_ >= 0) return;
  throw input_error("output-unwritable", fmt::format("cannot write '{}': {}", path.text, std::strerror(errno)),
                    path.origin, "give a path in a folder that exists and may be written to");
}

append_file::~append_file() {
  write_out();
  ::close(descriptor_);
}

void append_file::append(std::string_view record) {
  buffer_ += record;
  if (buffer_.size() >= buffer_size) write_out();
}

// What a full disk took only in part is cut off again, so that the file ends with a whole record.
void append_file::write_out() {
  if (buffer_.empty() || !error_.empty()) return;
  const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);
  error_ = write_all(descriptor_, buffer_);
  if (!error_.empty() && ::ftruncate(descriptor_, before) == 0) ::lseek(descriptor_, before, SEEK_SET);
  buffer_.clear();
}

void append_file::overwrite(std::string_view bytes) {
  write_out();
  if (error_.empty() && ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    error_ = std::strerror(errno);
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

std::string replace_file(const std::string& path, std::string_view contents) {
  return replaced(path, [&](int descriptor) { return write_all(descriptor, contents); });
}

std::string replace_obstacle(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return std::strerror(EISDIR);
  const std::string fresh = path + ".new";
  const int descriptor = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return std::strerror(errno);
  ::close(descriptor);
  ::unlink(fresh.c_str());
  return "";
}

std::string replace_by_copy(const std::string& from, const std::string& to) {
  return replaced(to, [&](int descriptor) -> std::string {
    const int source = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
    if (source < 0) return std::strerror(errno);
    ssize_t moved = 0;
    do {
      moved = ::sendfile(descriptor, source, nullptr, 1 << 30);
    } while (moved > 0);
    const std::string error = moved < 0 ? std::strerror(errno) : "";
    ::close(source);
    return error;
  });
}

}  // namespace actio
