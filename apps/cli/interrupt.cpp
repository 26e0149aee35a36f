#include "apps/cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace actio::cli {

namespace {

// Asked by every thread of an ensemble.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // or a handler must not touch it

void note_interrupt(int) { interrupted.store(true, std::memory_order_relaxed); }

// A signal that our parent had us ignore stays ignored: nohup means it so.
void handle(int signal) {
  struct sigaction action = {};
  if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_for_interrupts() {
  handle(SIGINT);
  handle(SIGTERM);
  handle(SIGHUP);
}

bool was_interrupted() { return interrupted.load(std::memory_order_relaxed); }

}  // namespace actio::cli
