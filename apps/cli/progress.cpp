#include "apps/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace actio::cli {

namespace {

constexpr auto patience = std::chrono::milliseconds(700), pause = std::chrono::milliseconds(200);

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

progress_line::progress_line(bool wanted)
    : is_visible_(wanted && isatty(STDERR_FILENO) != 0), start_(clock::now()), next_(start_ + patience) {}

progress_line::~progress_line() {
  if (has_text_) fmt::print(stderr, "\r\033[K");
}

void progress_line::show(const char* what, std::size_t done, std::size_t all) {
  if (!is_visible_ || done == 0) return;
  const auto now = clock::now();
  if (now < next_) return;
  next_ = now + pause;
  has_text_ = true;
  const double passed = std::chrono::duration<double>(now - start_).count();
  const double part = static_cast<double>(done) / static_cast<double>(all);
  fmt::print(stderr, "\r\033[K{:3.0f}%  {} {} of {}, {} left", 100 * part, what, done, all,
             duration_text(passed * (1 - part) / part));
  std::fflush(stderr);
}

}  // namespace actio::cli
