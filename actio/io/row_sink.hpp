// Where the rows of a trajectory go: CSV, NumPy or HDF5, behind one interface.
//
// A sink never throws once it is open: a failure (a full disk) is kept as a text, and what was written before stays
// readable. Rows become durable with flush(); a resumed run continues after a given number of rows. Links are followed,
// and an output has one writer at a time (output_lock).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"
#include "actio/io/output_lock.hpp"

namespace actio {

// Wide enough for the text of every number of the run: digits, sign, point and exponent.
template <class S>
std::size_t text_width() {
  return std::same_as<S, multi> ? digits_in_use() + 16 : 48;
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

  // Rows that the file is known to hold, in a form that opens; all of those appended after a flush that did not fail.
  virtual std::size_t kept_rows() const = 0;
  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  // Keeps the locks of its files to its own end.
  void keep(std::vector<std::shared_ptr<output_lock>> locks) { locks_ = std::move(locks); }

 protected:
  std::string error_;

 private:
  std::vector<std::shared_ptr<output_lock>> locks_;
};

// Another table of the same run. HDF5 keeps it as a group in the same file; the other formats write a file beside it,
// with the name of the table before the ending.
struct sink_table {
  std::string name;
  std::vector<std::string> columns;
  std::size_t keep_rows = 0;  // where a file is continued
};

// The file beside `path` that holds a table, in formats that keep each table in a file of its own.
std::string table_file(const std::string& path, const std::string& table);

struct sink_request {
  source_text path;  // its ending says the format
  std::vector<std::string> columns;
  run_metadata metadata = {};
  std::size_t keep_rows = 0;               // continue an existing file after so many rows; 0 starts a new one
  std::vector<sink_table> more = {};
  std::shared_ptr<output_lock> lock = {};  // of the output, where it is taken already
};

// Column names as the format of `path` can keep them: HDF5 and NumPy have no names with certain characters. Throws
// duplicate-name where two become one.
std::vector<std::string> stored_names(const source_text& path, const std::vector<std::string>& columns);

// The first line of a CSV file with these columns, and the header of a NumPy file whose count is not filled in.
std::string csv_header(const std::vector<std::string>& columns);
struct npy_header {
  std::string bytes;
  std::size_t count_at = 0;
  // Whether a file that begins with `head` has this header, whatever its count.
  bool fits(const std::string& head) const;
};
template <class S>
npy_header npy_header_of(const std::vector<std::string>& columns);

// Endings that open_sink knows in this build: ".csv", ".npy", ".h5".
const std::vector<std::string>& sink_endings();

// The files that open_sink makes, the main one first.
std::vector<std::string> files_of(const sink_request& request);

// Throws input_error: unknown-option-value for another ending, duplicate-name, output-in-use, output-unwritable,
// file-foreign where a file beside the output is not ours (own_file), and checkpoint-foreign where the existing file
// does not have the rows to continue after. A new file ends the life of the checkpoint beside the old one, before the
// old one is touched.
template <class S>
std::unique_ptr<row_sink<S>> open_sink(const sink_request& request);

// One opener a format; only open_sink calls them, with names that the format can keep. `held` keeps rows in memory up
// to the next flush.
template <class S>
std::unique_ptr<row_sink<S>> open_csv(const sink_request& request, bool held);
// Lines of a CSV file, handed on one by one.
template <class S>
std::unique_ptr<row_sink<S>> csv_lines(const std::vector<std::string>& columns,
                                       std::function<void(std::string_view)> to);
template <class S>
std::unique_ptr<row_sink<S>> open_npy(const sink_request& request, bool held);
template <class S>
std::unique_ptr<row_sink<S>> open_hdf5(const sink_request& request);

}  // namespace actio
