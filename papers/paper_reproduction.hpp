// Papers done again as one call: reports, pages and figures, and whether everything agrees.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "actio/base/option.hpp"
#include "papers/paper.hpp"

namespace actio {

struct paper_reproduction_options {
  std::vector<source_text> papers = {};  // keys; "all", or none at all, is every paper
  option_values given = {};              // `quick`, `threads`, `output`
  // Called by one thread at a time, with the part of the paper's work that is done, 0 to 1.
  std::function<void(const std::string& key, double part)> progress = {};
  std::function<bool()> interrupted = {};  // asked by one thread at a time; true ends it, without the paper begun
  // A paper is done, and its text for people.
  std::function<void(const paper_report& report, const std::string& text)> finished = {};
};

struct paper_reproduction_result {
  std::vector<paper_report> reports;
  double seconds = 0;
  // "agrees", "disagrees", "not reproducible" where nothing disagrees but something could not be computed, or
  // "interrupted".
  std::string status;
  bool interrupted = false;  // papers are missing
  std::string summary;       // the last words of the text
  std::string text, json;
  std::string write_error;  // what went wrong with pages and figures, or ""
};

// Throws input_error: unknown-paper, bad-count, output-unwritable.
paper_reproduction_result reproduce_papers(const paper_reproduction_options& options);

}  // namespace actio
