// Reading a trajectory file back: what run made it, and its rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/io/row_sink.hpp"

namespace actio {

class trajectory_file {
 public:
  // The main table, or another one by its name. Throws input_error: file-unreadable, trajectory-damaged (not an HDF5
  // file of ours), format-unavailable in a build without.
  static trajectory_file open(const std::string& path, const std::string& table = "");
  trajectory_file(trajectory_file&&) noexcept;
  ~trajectory_file();

  const std::vector<std::string>& columns() const;
  // The rows that all columns have.
  std::size_t rows() const;
  // Of single columns, in their order; they differ in a damaged file only.
  const std::vector<std::size_t>& rows_of_columns() const;
  // A text about the run, such as "model" or "certificate"; "" when it has none.
  std::string text(const std::string& name) const;
  // Rows `first` … `first + count − 1` of a column, as decimal texts with all their digits.
  std::vector<std::string> values(const std::string& column, std::size_t first, std::size_t count) const;
  // The same as numbers, of a column that holds doubles.
  bool holds_doubles(const std::string& column) const;
  std::vector<double> numbers(const std::string& column, std::size_t first, std::size_t count) const;

 private:
  struct contents;
  std::size_t place_of(const std::string& column) const;
  explicit trajectory_file(std::unique_ptr<contents> c);
  std::unique_ptr<contents> contents_;
};

}  // namespace actio
