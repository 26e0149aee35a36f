// The papers that actio grew from: what each published, and how to compute it again with the engine that users run.
//
// To add a paper: a folder with its published.json and its reproduction, and one line in catalogue.cpp.
#pragma once

#include <exception>
#include <functional>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/io/paper_page.hpp"

namespace actio {

class reproduction;

struct paper {
  std::string_view key;
  std::string_view (*published)();
  void (*reproduce)(reproduction&);
};

const std::vector<paper>& paper_catalogue();
// Throws input_error("unknown-paper") with a suggestion.
const paper& paper_named(const source_text& key);

struct reproduction_options {
  bool quick = false;  // leaves out lengths of a thousand periods and more
  unsigned threads = 2;
  std::function<void(double part)> progress = {};  // of the work that is done, 0 to 1; called by one thread at a time
  std::function<bool()> interrupted = {};          // asked whenever work is done, by one thread at a time; true ends it
};

// Thrown by `reproduce` where it was interrupted.
struct reproduction_interrupted : std::exception {
  const char* what() const noexcept override { return "the reproduction was interrupted"; }
};

// Every table, claim and figure of the paper.
paper_report reproduce(const paper& p, const reproduction_options& options);

// Whether something that should agree does not, or could not be computed.
bool has_disagreement(const paper_report& report);

namespace papers {
void reproduce_dubois2023(reproduction& r);
void reproduce_rojas2024(reproduction& r);
void reproduce_rojas2025(reproduction& r);
void reproduce_marsden1997(reproduction& r);
}  // namespace papers

}  // namespace actio
