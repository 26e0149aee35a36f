// What programs have written, as readers see it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "actio/io/trajectory_file.hpp"
#include "tests/cli/program.hpp"

namespace actio::testing {

// Rows that a reader who knows nothing of actio finds.
inline std::size_t rows_in(const std::string& path, const std::string& table = "") {
  if (path.ends_with(".h5")) return trajectory_file::open(path, table).rows();
  const std::string text = contents(path);
  if (path.ends_with(".csv")) return text.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(text, '\n')) - 1;
  if (text.size() < 128) return 0;  // a header that is not complete
  const std::size_t shape = text.find("'shape': (") + 10, header = text.find('\n') + 1;
  std::size_t columns = 0;
  for (std::size_t at = text.find("<f8"); at < header; at = text.find("<f8", at + 1)) ++columns;
  const std::size_t rows = std::stoul(text.substr(shape));
  EXPECT_LE(header + rows * columns * 8, text.size()) << path;
  return rows;
}

// The numbers of a run's report that must not depend on interruptions.
inline nlohmann::json lasting(const std::string& json) {
  nlohmann::json report = nlohmann::json::parse(json);
  for (const char* key : {"seconds", "setup_seconds"}) report.erase(key);
  return report;
}

}  // namespace actio::testing
