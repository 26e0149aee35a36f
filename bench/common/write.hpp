// What a run of the benchmarks leaves behind: tables on the terminal, a summary for programs, a page for people.
#pragma once

#include <string>
#include <vector>

#include "common/measure.hpp"
#include "ensemble/ensemble.hpp"

namespace actio::bench {

// One step at many digits; times are of one step.
struct many_digits_result {
  unsigned digits = 0;
  double step = 0;
  std::size_t steps = 0;
  double actio_seconds = 0, actio_setup_seconds = 0, mpmath_seconds = 0;  // 0: mpmath is not there
  double difference = 0;                                                  // of the two ends
};

// Numbers that are no contest: one table, and what it comes to.
struct study {
  std::string id, title;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::string conclusion = {};
  double value = 0;  // of the conclusion
};

struct summary {
  std::string processor, compiler;
  double load = 0;  // processes that wanted to run beside this one, on average
  std::vector<result> contests;
  std::vector<many_digits_result> many_digits;
  std::vector<study> studies;
  std::vector<ensemble_result> ensembles;
  std::vector<std::string> left_out;  // one line for each competitor that is not there
};

std::string terminal_text(const result& r);
std::string terminal_text(const many_digits_result& r);
std::string terminal_text(const study& s);
std::string terminal_text(const ensemble_result& r);
std::string to_json(const summary& s);
std::string to_page(const summary& s);

}  // namespace actio::bench
