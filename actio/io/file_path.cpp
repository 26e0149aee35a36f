#include "actio/io/file_path.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

namespace actio {

namespace {

namespace fs = std::filesystem;

// Equal for two paths that mean one file: the file itself where there is one, its place otherwise; "" for a device.
std::string identity_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    return S_ISREG(status.st_mode) ? fmt::format("{}:{}", status.st_dev, status.st_ino) : "";
  }
  const fs::path end = followed(path);
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(end.has_parent_path() ? end.parent_path() : fs::path("."), error);
  return error ? end.string() : (folder / end.filename()).string();
}

}  // namespace

std::string followed(const std::string& path) {
  constexpr int longest_chain = 40;  // as the system has it
  fs::path at = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(at, error); ++links) {
    if (links == longest_chain) return path;
    const fs::path next = fs::read_symlink(at, error);
    if (error) return path;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

bool is_device(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::string beside(const std::string& output, std::string_view ending) {
  return (is_device(output) ? output : followed(output)) + std::string(ending);
}

void require_distinct(std::span<const file_use> files) {
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::string here = identity_of(files[k].path);
    for (std::size_t j = 0; j < k && !here.empty(); ++j) {
      if (identity_of(files[j].path) != here) continue;
      throw input_error("conflicting-options",
                        fmt::format("{} and {} would be one file, '{}'", files[j].role, files[k].role, files[k].path),
                        files[k].place, "give each a path of its own");
    }
  }
}

}  // namespace actio
