// One writer an output: a lock that ends with its process, however that ends.
//
// The lock is an advisory one (flock) on OUTPUT.lock, a file beside the output that holds a line of its own, the number
// and the command of the process. It is removed with the lock; a killed process leaves it behind unlocked. The next
// writer takes it over, and removes what else was left: OUTPUT.part, OUTPUT.new, OUTPUT.checkpoint.new.
#pragma once

#include <string>

#include "actio/base/error.hpp"

namespace actio {

// The error output-in-use; `holder` says who writes there.
input_error output_in_use(const source_text& output, const std::string& holder);

// Who holds the lock (flock) of this open file, as the system lists it: "process 4711 (actio run …)".
std::string lock_holder_of(int descriptor);

class output_lock {
 public:
  // Throws input_error: output-in-use, naming the process that writes there, output-unwritable where no file can
  // stand beside the output, file-foreign where another's stands there (own_file). Devices and file systems without
  // locks are not locked.
  explicit output_lock(const source_text& output);
  ~output_lock();
  output_lock(const output_lock&) = delete;
  output_lock& operator=(const output_lock&) = delete;

 private:
  bool take(const source_text& output);
  void take_over(const std::string& output) const;
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace actio
