#include "apps/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/console.hpp"

namespace actio::cli {

namespace {

constexpr auto patience = std::chrono::milliseconds(700), pause = std::chrono::milliseconds(200);

std::string bar(double part) {
  constexpr std::size_t width = 24;
  const auto full = static_cast<std::size_t>(part * static_cast<double>(width));
  return fmt::format("[{}{}] {:3.0f}%", std::string(full, '#'), std::string(width - full, '-'), 100 * part);
}

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

progress_line::progress_line(bool wanted)
    : is_visible_(wanted && isatty(STDERR_FILENO) != 0), start_(clock::now()), next_(start_ + patience) {}

progress_line::~progress_line() {
  if (has_text_) note_text("\r\033[K");
}

bool progress_line::is_due() {
  if (!is_visible_) return false;
  const auto now = clock::now();
  if (now < next_) return false;
  next_ = now + pause;
  return has_text_ = true;
}

void progress_line::show(const std::string& what, std::size_t done, std::size_t all) {
  if (what != counted_) {
    first_done_ = counted_.empty() ? 0 : done;
    if (!counted_.empty()) start_ = clock::now();
    counted_ = what;
  }
  if (done <= first_done_ || !is_due()) return;
  const double passed = std::chrono::duration<double>(clock::now() - start_).count();
  const double part = static_cast<double>(done) / static_cast<double>(all);
  const double rate = static_cast<double>(done - first_done_) / passed;
  note("\r\033[K{}  {} {} of {}, {} left", bar(part), what, done, all,
       duration_text(static_cast<double>(all - done) / rate));
}

void progress_line::show(const std::string& what, double part) {
  if (part <= 0 || !is_due()) return;
  const double passed = std::chrono::duration<double>(clock::now() - start_).count();
  note("\r\033[K{}  {}, {} left", bar(part), what, duration_text(passed * (1 - part) / part));
}

void progress_line::show(std::size_t step, std::size_t steps, double time) {
  if (first_step_ == 0) first_step_ = step;
  if (!is_due()) return;
  const double passed = std::chrono::duration<double>(clock::now() - start_).count();
  const double part = static_cast<double>(step) / static_cast<double>(steps);
  const double rate = static_cast<double>(step - first_step_ + 1) / passed;
  note("\r\033[K{}  {:.3g} steps/s, t = {:.6g}, {} left", bar(part), rate, time,
       duration_text(static_cast<double>(steps - step) / rate));
}

}  // namespace actio::cli
