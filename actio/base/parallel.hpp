// Independent tasks on several threads. Results must not depend on which thread ran what, so tasks share nothing.
#pragma once

#include <cstddef>
#include <functional>

namespace actio {

// Those of the machine; one in a build without threads (ACTIO_NO_THREADS).
unsigned available_threads();

// For work within a task that may be shared: all but inside of `in_parallel`, where others are at work already. No more
// than `limit_threads` last said; 0 is no limit.
unsigned threads_at_hand();
void limit_threads(unsigned most);

// Calls task(0) … task(count − 1), each once, on up to `threads` threads; `progress(done, count)` is called by one
// thread at a time. The first exception ends the work and is thrown here.
// Without threads the tasks are done in their order.
void in_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
                 const std::function<void(std::size_t done, std::size_t all)>& progress = {});

}  // namespace actio
