#include "apps/cli/interrupt.hpp"

#include <csignal>

namespace actio::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

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

bool was_interrupted() { return interrupted != 0; }

}  // namespace actio::cli
