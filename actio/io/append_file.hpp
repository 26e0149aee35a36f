// A file that only grows: whole records are appended through one buffer, and errors are kept, not thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "actio/base/error.hpp"

namespace actio {

class append_file {
 public:
  // Creates the file, or opens an existing one as it is. Throws output-unwritable.
  append_file(const source_text& path, bool existing);
  ~append_file();
  append_file(const append_file&) = delete;
  append_file& operator=(const append_file&) = delete;

  void append(std::string_view record);
  // Overwrites bytes at the start of the file (a header with a count in it).
  void overwrite(std::string_view bytes);
  // Cuts the file after `size` bytes and continues there.
  void truncate(std::uint64_t size);
  // Writes the buffer and waits until the disk has it.
  void flush();

  // Where the first `lines` lines end; nothing when there are fewer.
  std::optional<std::uint64_t> end_of_lines(std::size_t lines) const;
  // The first bytes of the file, at most `size`.
  std::string head(std::size_t size) const;
  const std::string& error() const { return error_; }

 private:
  void write_out();
  int descriptor_ = -1;
  std::string buffer_, error_;
};

// Replaces `path` by a file with these contents in one move: readers see the old file or the new one, never a part.
// Returns what went wrong, or "".
std::string replace_file(const std::string& path, std::string_view contents);

// Why replace_file could not write there, or ""; leaves everything as it is.
std::string replace_obstacle(const std::string& path);

// Copies `from` over `to` likewise.
std::string replace_by_copy(const std::string& from, const std::string& to);

}  // namespace actio
