#include "actio/io/output_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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
#include "actio/io/own_file.hpp"

namespace actio {

namespace {

// Of a process by its number, or of "self".
std::string command_of(const std::string& process) {
  constexpr std::size_t longest = 400;
  std::ifstream file("/proc/" + process + "/cmdline", std::ios::binary);
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
    std::string beginning;
    std::getline(lines, beginning);
    std::getline(lines, holder.process);
    std::getline(lines, holder.command);
  }
  return holder;
}

// Whether the file that was opened still stands at its path: the former holder removes it.
bool stands_at(int descriptor, const std::string& path) {
  struct stat opened{}, there{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &there) == 0 && opened.st_ino == there.st_ino &&
         opened.st_dev == there.st_dev;
}

}  // namespace

input_error output_in_use(const source_text& output, const std::string& holder) {
  return {"output-in-use", fmt::format("'{}' is being written by {}", output.text, holder), output.origin,
          "wait for its end, or write to another file"};
}

// Lines of /proc/locks: "1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF", device numbers in hexadecimal.
std::string lock_holder_of(int descriptor) {
  lock_holder holder;
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return holder.text();
  const std::string wanted = fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, process, file;
    words >> number >> kind >> advisory >> access >> process >> file;
    if (kind == "FLOCK" && file == wanted) holder = {process, command_of(process)};
  }
  return holder.is_alive() ? holder.text() : lock_holder{}.text();
}

output_lock::output_lock(const source_text& output) : path_(beside(output.text, ".lock")) {
  if (is_device(output.text)) return;
  while (!take(output)) {
  }
}

bool output_lock::take(const source_text& output) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    const int error = errno;
    require_own_file(path_, lock_beginning, output);
    throw output_unwritable(output, std::strerror(error));
  }
  const bool is_locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  const bool has_holder = !is_locked && (errno == EWOULDBLOCK || errno == EINTR);  // else there are no locks there
  const std::string holder = has_holder ? holder_in(descriptor_).text() : "";
  const bool is_there = stands_at(descriptor_, path_);
  try {
    if (has_holder) throw output_in_use(output, holder);
    if (is_there) require_own_file(path_, lock_beginning, output);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  if (!is_there) {
    ::close(descriptor_);
    return false;
  }
  struct stat status{};
  if (is_locked && ::fstat(descriptor_, &status) == 0 && status.st_size > 0) take_over(output.text);
  const std::string text = fmt::format("{}{}\n{}\n", lock_beginning, ::getpid(), command_of("self"));
  // A full disk has no room for the name of the holder; the lock holds all the same.
  static_cast<void>(::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, text.data(), text.size(), 0) > 0);
  return true;
}

// The lock of a killed process says that what stands beside it was being written by that process, too.
void output_lock::take_over(const std::string& output) const {
  const bool is_hdf5 = output.ends_with(".h5");
  for (const char* ending : {".part", ".new"}) {
    if (is_hdf5) remove_own_file(beside(output, ending), hdf5_beginning);
  }
  remove_own_file(beside(output, ".checkpoint.new"), checkpoint_beginning);
}

output_lock::~output_lock() {
  if (descriptor_ < 0) return;
  if (stands_at(descriptor_, path_)) ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace actio
