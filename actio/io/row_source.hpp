// Rows of doubles read back in their order, from every format that row_sink writes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace actio {

class row_source {
 public:
  virtual ~row_source() = default;
  // The next row. Throws trajectory-damaged where the file has no more, or no numbers.
  virtual void next(std::span<double> row) = 0;
};

// The main table of an output, or another one by its name, with columns as they were given to open_sink. Throws
// input_error: file-unreadable, trajectory-damaged (other columns, or fewer than `rows` rows), format-unavailable.
std::unique_ptr<row_source> open_rows(const std::string& path, const std::string& table,
                                      const std::vector<std::string>& columns, std::size_t rows);

}  // namespace actio
