#include "apps/cli/interrupt.hpp"

#include <csignal>

namespace actio::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

void handle(int signal) {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_for_interrupts() {
  handle(SIGINT);
  handle(SIGTERM);
}

bool was_interrupted() { return interrupted != 0; }

}  // namespace actio::cli
