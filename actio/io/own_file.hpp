// Files of our own beside an output: its lock, its checkpoint, and what is written before it takes its place.
//
// Nobody knows that these names are ours. Such a file is therefore made exclusively and never through a link, and one
// that stands there already is touched only where it begins as ours do; anything else is refused, not overwritten.
#pragma once

#include <string>
#include <string_view>

#include "actio/base/error.hpp"

namespace actio {

// How our files begin. An empty one is ours, too: a process that was killed may leave it.
inline constexpr std::string_view lock_beginning = "actio lock\n", checkpoint_beginning = "actio checkpoint ",
                                  hdf5_beginning = "\x89HDF\r\n\x1a\n";

// The error file-foreign for what stands at `path` beside `output`; `what` says what that is.
input_error file_foreign(const std::string& path, const std::string& what, const source_text& output);

// Throws file-foreign unless nothing stands at `path`, or a plain file, no link, that begins as ours do.
void require_own_file(const std::string& path, std::string_view beginning, const source_text& output);
// Throws file-foreign unless nothing stands at `path`.
void require_no_file(const std::string& path, const source_text& output);

// Removes a plain file that begins as ours do; leaves anything else.
void remove_own_file(const std::string& path, std::string_view beginning);

// Creates a file where nothing stands yet, not even a link: its descriptor, or -1 with the reason in errno.
int create_own_file(const std::string& path);

// Appends what the file `from` holds; what went wrong, or "".
std::string copy_into(int descriptor, const std::string& from);

}  // namespace actio
