// A file that only grows: whole records are appended through one buffer, and errors are kept, not thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"

namespace actio {

// The error output-unwritable: `reason` is what the system says.
input_error output_unwritable(const source_text& path, const std::string& reason);

class append_file {
 public:
  // Creates the file, or opens an existing one as it is. With `held` set, nothing is written before flush(). Throws
  // output-unwritable, output-in-use.
  append_file(const source_text& path, bool existing, bool held = false);
  ~append_file();
  append_file(const append_file&) = delete;
  append_file& operator=(const append_file&) = delete;

  void append(std::string_view record);
  // Overwrites bytes of the file (a count in a header), also after an error: the place is there already.
  void overwrite(std::uint64_t at, std::string_view bytes);
  // Cuts the file after `size` bytes and continues there.
  void truncate(std::uint64_t size);
  // Writes the buffer.
  void write_out();
  // Writes the buffer and waits until the disk has it.
  void flush();

  // Where the first `lines` lines end; nothing when there are fewer.
  std::optional<std::uint64_t> end_of_lines(std::size_t lines) const;
  // The first bytes of the file, at most `size`.
  std::string head(std::size_t size) const;
  std::uint64_t size() const;
  // Appended records that are in the file, all of them whole.
  std::size_t records() const { return records_; }
  const std::string& error() const { return error_; }

 private:
  int descriptor_ = -1;
  bool held_;
  std::string buffer_, error_;
  std::vector<std::size_t> ends_;  // of the records in the buffer
  std::size_t records_ = 0;
};

// Replaces `path` by a file with these contents in one move: readers see the old file or the new one, never a part. A
// link is followed, a device is written to. Returns what went wrong, or "".
std::string replace_file(const std::string& path, std::string_view contents);

// Why replace_file could not write there, or ""; leaves everything as it is.
std::string replace_obstacle(const std::string& path);

// The same for a file that has one writer at a time, through the file PATH.new, which must not be there (own_file);
// PATH is no link.
std::string replace_own_file(const std::string& path, std::string_view contents);
// Copies `from` over `to` likewise.
std::string replace_by_copy(const std::string& from, const std::string& to);

}  // namespace actio
