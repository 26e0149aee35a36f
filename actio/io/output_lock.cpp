#include "actio/io/output_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "actio/io/append_file.hpp"
#include "actio/io/file_path.hpp"

namespace actio {

namespace {

std::string this_command() {
  constexpr std::size_t longest = 400;
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  while (words.ends_with('\0')) words.pop_back();
  std::ranges::replace_if(words, [](char c) { return c == '\0' || c == '\n'; }, ' ');
  if (words.size() > longest) words.replace(longest, std::string::npos, " …");
  return words;
}

// "process 4711 (actio run kepler --output a.csv)".
std::string holder_in(int descriptor) {
  std::string text(4096, '\0');
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  std::istringstream lines(text);
  std::string process, command;
  std::getline(lines, process);
  std::getline(lines, command);
  if (process.empty()) return "another process";
  return command.empty() ? "process " + process : fmt::format("process {} ({})", process, command);
}

// Whether the file that was opened still stands at its path: the former holder removes it.
bool stands_at(int descriptor, const std::string& path) {
  struct stat opened{}, there{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &there) == 0 && opened.st_ino == there.st_ino &&
         opened.st_dev == there.st_dev;
}

}  // namespace

output_lock::output_lock(const source_text& output) : path_(beside(output.text, ".lock")) {
  if (is_device(output.text)) return;
  while (!take(output)) {
  }
}

bool output_lock::take(const source_text& output) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw output_unwritable(output, std::strerror(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return true;  // no locks there
    const std::string holder = holder_in(descriptor_);
    ::close(descriptor_);
    throw input_error("output-in-use", fmt::format("'{}' is being written by {}", output.text, holder), output.origin,
                      "wait for its end, or write to another file");
  }
  if (!stands_at(descriptor_, path_)) {
    ::close(descriptor_);
    return false;
  }
  const std::string text = fmt::format("{}\n{}\n", ::getpid(), this_command());
  // A full disk has no room for the name of the holder; the lock holds all the same.
  static_cast<void>(::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, text.data(), text.size(), 0) > 0);
  return true;
}

output_lock::~output_lock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace actio
