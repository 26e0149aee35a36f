#include "actio/io/own_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace actio {

namespace {

enum class found { nothing, own, foreign, link, no_file };

found found_at(const std::string& path, std::string_view beginning) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return found::nothing;
  if (S_ISLNK(status.st_mode)) return found::link;
  if (!S_ISREG(status.st_mode)) return found::no_file;
  if (status.st_size == 0) return found::own;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return found::foreign;
  std::string head(beginning.size(), '\0');
  const ssize_t got = ::pread(descriptor, head.data(), head.size(), 0);
  ::close(descriptor);
  return got == static_cast<ssize_t>(head.size()) && head == beginning ? found::own : found::foreign;
}

const char* text_of(found what) {
  switch (what) {
    case found::link: return "a symbolic link";
    case found::no_file: return "no plain file";
    default: return "not known to be a file of actio";
  }
}

}  // namespace

input_error file_foreign(const std::string& path, const std::string& what, const source_text& output) {
  return {"file-foreign", fmt::format("'{}' would be overwritten, but is {}", path, what), output.origin,
          "remove or rename it, or choose another output"};
}

void require_own_file(const std::string& path, std::string_view beginning, const source_text& output) {
  const found what = found_at(path, beginning);
  if (what != found::nothing && what != found::own) throw file_foreign(path, text_of(what), output);
}

void require_no_file(const std::string& path, const source_text& output) {
  const found what = found_at(path, "");
  if (what != found::nothing) throw file_foreign(path, text_of(what), output);
}

void remove_own_file(const std::string& path, std::string_view beginning) {
  if (found_at(path, beginning) == found::own) ::unlink(path.c_str());
}

int create_own_file(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

std::string copy_into(int descriptor, const std::string& from) {
  const int source = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (source < 0) return std::strerror(errno);
  ssize_t moved = 0;
  do {
    moved = ::sendfile(descriptor, source, nullptr, 1 << 30);
  } while (moved > 0);
  const std::string error = moved < 0 ? std::strerror(errno) : "";
  ::close(source);
  return error;
}

}  // namespace actio
