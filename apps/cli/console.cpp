#include "apps/cli/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace actio::cli {

namespace {

std::string& first_error() {
  static std::string error;
  return error;
}

void check(bool written) {
  if (!written && first_error().empty()) first_error() = std::strerror(errno);
}

}  // namespace

void prepare_console() {
  // The lowest free descriptor is taken: these fill up 0, 1 and 2. Open for reading alone, a closed standard output
  // stays one that cannot be written to.
  for (int descriptor = 0; descriptor <= STDERR_FILENO;) {
    descriptor = ::open("/dev/null", O_RDONLY);
    if (descriptor < 0) break;
    if (descriptor > STDERR_FILENO) ::close(descriptor);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void print_text(std::string_view text) {
  if (first_error().empty()) check(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void note_text(std::string_view text) {
  flush_console();  // notes follow what they are about
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr) == text.size() && std::fflush(stderr) == 0);
}

void flush_console() { check(std::fflush(stdout) == 0); }

const std::string& console_error() { return first_error(); }

}  // namespace actio::cli
