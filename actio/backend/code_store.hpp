// Machine code kept on disk, so that a model that ran once starts at once: one file for each piece of code, in
// $ACTIO_CACHE_DIR, else $XDG_CACHE_HOME/actio, else ~/.cache/actio.
//
// A file is used only when the user alone could have written it and its checksum is right. Whatever goes wrong on disk
// costs time, never a result: the code is then made again, and kept again if that is possible.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace actio::machine_code {

class code_store {
 public:
  // An empty folder name stores nothing. Beyond `most_bytes` the files that were longest unused are dropped.
  explicit code_store(std::filesystem::path folder, std::size_t most_bytes = std::size_t{64} << 20);

  static code_store of_user();

  const std::filesystem::path& folder() const { return folder_; }

  // The bytes that were kept under `key`, a name of letters and digits.
  std::optional<std::string> find(std::string_view key) const;
  void keep(std::string_view key, std::string_view bytes) const;

 private:
  std::filesystem::path file_of(std::string_view key) const;
  bool folder_is_ready() const;
  void drop_oldest() const;

  std::filesystem::path folder_;
  std::size_t most_bytes_;
};

// A name for what writes the code, the same in builds that only run it. Code of another one is of no use.
const std::string& code_generator();

}  // namespace actio::machine_code
