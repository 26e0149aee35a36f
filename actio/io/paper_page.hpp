// A paper done again: what it published beside what came out here, as a page and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "actio/io/figure.hpp"

namespace actio {

// verdict: "agrees" | "close" | "holds" | "holds in part" | "misprint" | "unreliable digits" | "not reproducible" |
// "disagrees" | "does not hold" | "left out" | "computed here"
struct table_cell {
  std::string published = {}, reproduced = {}, verdict = {}, note = {};
};

struct paper_table {
  std::string id = {}, title = {}, caption = {};
  std::vector<std::string> columns = {};    // heads of the value columns
  std::vector<std::string> row_heads = {};  // heads of the columns that name the rows
  struct row {
    std::vector<std::string> heads = {};
    std::vector<table_cell> cells = {};
  };
  std::vector<row> rows = {};
  std::string rule = {};  // by which cells are judged
};

struct paper_claim {
  std::string statement = {}, published = {}, reproduced = {}, verdict = {}, note = {};
  std::string rule = {};  // by which it is judged
};

struct paper_report {
  std::string key = {}, title = {}, authors = {}, reference = {}, summary = {};
  std::vector<paper_table> tables = {};
  std::vector<paper_claim> claims = {};
  std::vector<figure> figures = {};
  std::string command = {};  // the command that does it again
  double seconds = 0;
};

// Cells and claims of each verdict, in the order above; verdicts that do not occur are left out, unknown ones come
// last.
struct verdict_count {
  std::string verdict;
  std::size_t count;
};
std::vector<verdict_count> count_verdicts(const paper_report& report);

// One self-contained page with interactive figures; curves are thinned so that it stays below 2 MB.
std::string paper_page(const paper_report& report);

// One object, indented, with a line end after it; of figures only ids and titles.
std::string to_json(const paper_report& report);

}  // namespace actio
