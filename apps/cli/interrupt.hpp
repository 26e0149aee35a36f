// Ctrl-C asks a run to end well, and so do the end of its terminal and a plain kill. A second one ends the program at
// once.
#pragma once

namespace actio::cli {

// From here on the first SIGINT, SIGTERM or SIGHUP only sets a flag.
void watch_for_interrupts();

bool was_interrupted();

}  // namespace actio::cli
