// One writer an output: a lock that ends with its process, however that ends.
//
// The lock is an advisory one (flock) on OUTPUT.lock, a file beside the output that holds the number and the command of
// the process. It is removed with the lock; a killed process leaves it behind unlocked, and the next writer takes it
// over.
#pragma once

#include <string>

#include "actio/base/error.hpp"

namespace actio {

// The error output-in-use; `holder` says who writes there.
input_error output_in_use(const source_text& output, const std::string& holder);

class output_lock {
 public:
  // Throws input_error: output-in-use, naming the process that writes there, and output-unwritable where no file can
  // stand beside the output. Devices and file systems without locks are not locked.
  explicit output_lock(const source_text& output);
  ~output_lock();
  output_lock(const output_lock&) = delete;
  output_lock& operator=(const output_lock&) = delete;

 private:
  bool take(const source_text& output);
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace actio
