// Which file a path means: links are followed, and two spellings of one file are recognised.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "actio/base/error.hpp"

namespace actio {

// Where `path` leads: the end of its chain of symbolic links, whether a file stands there or not. A chain without an
// end stays as it is; opening it says why it cannot be.
std::string followed(const std::string& path);

// Whether something stands there that is neither a file nor a folder: a device, a pipe.
bool is_device(const std::string& path);

// A file of our own beside an output: `ending` behind the name of the file that `output` leads to. Beside a link to a
// device it stands at the link.
std::string beside(const std::string& output, std::string_view ending);

// A file that a command reads or writes.
struct file_use {
  std::string path;
  source_place place;  // the option that names it
  std::string role;    // what it is, for messages: "the output"
};

// Throws conflicting-options where two of them are one file, however it is spelled or linked. Devices may be shared.
void require_distinct(std::span<const file_use> files);

}  // namespace actio
