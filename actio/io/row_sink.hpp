// Where the rows of a trajectory go: CSV, NumPy or HDF5, behind one interface.
//
// A sink never throws once it is open: a failure (a full disk) is kept as a text, and what was written before stays
// readable. Rows become durable with flush(); a resumed run continues after a given number of rows.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

// Wide enough for the text of every number of the run: digits, sign, point and exponent.
template <class S>
std::size_t text_width() {
  return std::same_as<S, multi> ? multi::default_precision() + 16 : 48;
}

// What a file needs so that its run can be understood and redone: model text, options, versions, machine.
using run_metadata = std::vector<std::pair<std::string, std::string>>;

template <class S>
class row_sink {
 public:
  virtual ~row_sink() = default;
  virtual void append(std::span<const S> row) = 0;
  // A row of one of the tables beside the main one, by its place in sink_request::more.
  virtual void append_to(std::size_t table, std::span<const S> row);
  // Brings all rows to the disk. Afterwards the file opens and holds them, whatever happens to the process.
  virtual void flush() = 0;
  // Flushes and ends; nothing may be appended afterwards.
  virtual void close() { flush(); }
  // Adds what is known only at the end, such as the certificate.
  virtual void annotate(const std::string& /*name*/, const std::string& /*text*/) {}

  std::size_t rows() const { return rows_; }
  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }

 protected:
  std::size_t rows_ = 0;
  std::string error_;
};

// Another table of the same run. HDF5 keeps it as a group in the same file; the other formats write a file beside it,
// with the name of the table before the ending.
struct sink_table {
  std::string name;
  std::vector<std::string> columns;
};

struct sink_request {
  source_text path;  // its ending says the format
  std::vector<std::string> columns;
  run_metadata metadata = {};
  std::size_t keep_rows = 0;          // continue an existing file after so many rows; 0 starts a new one
  std::vector<sink_table> more = {};  // only in new files
};

// Endings that open_sink knows in this build: ".csv", ".npy", ".h5".
const std::vector<std::string>& sink_endings();

// The files that open_sink makes, the main one first.
std::vector<std::string> files_of(const sink_request& request);

// Throws input_error: unknown-option-value for another ending, output-unwritable, and checkpoint-foreign where the
// existing file does not have the rows to continue after.
template <class S>
std::unique_ptr<row_sink<S>> open_sink(const sink_request& request);

// One opener a format; only open_sink calls them.
template <class S>
std::unique_ptr<row_sink<S>> open_csv(const sink_request& request);
template <class S>
std::unique_ptr<row_sink<S>> open_npy(const sink_request& request);
template <class S>
std::unique_ptr<row_sink<S>> open_hdf5(const sink_request& request);

}  // namespace actio
