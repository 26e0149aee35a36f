// Ctrl-C asks a run to end well. A second one ends the program at once.
#pragma once

namespace actio::cli {

// From here on the first SIGINT or SIGTERM only sets a flag.
void watch_for_interrupts();

bool was_interrupted();

}  // namespace actio::cli
