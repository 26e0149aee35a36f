#include "actio/base/parallel.hpp"

#include <mpfr.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace actio {

void in_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
                 const std::function<void(std::size_t done, std::size_t all)>& progress) {
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t k; (k = next++) < count;) {
      try {
        task(k);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
        return;
      }
      const std::scoped_lock lock(mutex);
      ++done;
      if (progress) progress(done, count);
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads && t < count; ++t) {
      others.emplace_back([&] {
        work();
        mpfr_free_cache();  // MPFR keeps constants for every thread
      });
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace actio
