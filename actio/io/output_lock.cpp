#include "actio/io/output_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

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

struct lock_holder {
  std::string process, command;

  // A process that has just taken the lock may not have written its name yet, over that of a killed one.
  bool is_alive() const {
    const long number = std::strtol(process.c_str(), nullptr, 10);
    return number > 0 && (::kill(static_cast<pid_t>(number), 0) == 0 || errno == EPERM);
  }
  // "process 4711 (actio run kepler --output a.csv)".
  std::string text() const {
    if (process.empty()) return "another process";
    return command.empty() ? "process " + process : fmt::format("process {} ({})", process, command);
  }
};

lock_holder holder_in(int descriptor) {
  constexpr int most_looks = 20;
  lock_holder holder;
  for (int looks = 0; looks < most_looks && !holder.is_alive(); ++looks) {
    if (looks > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::string text(4096, '\0');
    const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    std::istringstream lines(text);
    std::getline(lines, holder.process);
    std::getline(lines, holder.command);
  }
  return holder;
}

// Whether the file that was opened still stands at its path: the former holder removes it.
bool stands_at(int descriptor, const std::string& path) {
  struct stat opened{}, there{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &there) == 0 && opened.st_ino == there.st_ino &&
         opened.st_dev == there.st_dev;
}

}  // namespace

input_error output_in_use(const source_text& output, const std::string& holder) {
  return {"output-in-use", fmt::format("'{}' is being written by {}", output.text, holder), output.origin,
          "wait for its end, or write to another file"};
}

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
    const lock_holder holder = holder_in(descriptor_);
    ::close(descriptor_);
    throw output_in_use(output, holder.text());
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
