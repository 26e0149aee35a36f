// What actio says about a random model, beside what is true.
#pragma once

#include <string>

#include "tests/random_models/reference_motion.hpp"

namespace actio::random_models {

enum class verdict {
  agrees,     // nothing that the program says is contradicted
  doubtful,   // the program does not trust its own run
  failed,     // the numbers did not work, and the program says so
  refused,    // the input is wrong or does not suit the method
  undecided,  // the reference itself does not know: chaos, friction that sticks
  far_off,    // not contradicted, for nothing was said about the motion, but another motion
  wrong,      // trusted, and not true
};
const char* name_of(verdict v);

struct examination {
  verdict outcome = verdict::agrees;
  std::string reason;   // what is said and what is true, for people
  std::string printed;  // what the program printed
};

// Runs the program on the model, whose file is written to `path`, and compares.
examination examine(const random_model& m, const std::string& path);

}  // namespace actio::random_models
