#include "actio/backend/code_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "actio/base/digest.hpp"

namespace actio::machine_code {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "actio machine code 2\n";
constexpr std::size_t digest_size = 64;
constexpr std::size_t header_size = magic.size() + digest_size;

class file_descriptor {
 public:
  explicit file_descriptor(int number) : number_(number) {}
  ~file_descriptor() { close(); }
  file_descriptor(const file_descriptor&) = delete;
  file_descriptor& operator=(const file_descriptor&) = delete;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

// Nobody else may have written there, or may exchange it.
bool is_private(const struct stat& s) { return s.st_uid == geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0; }

bool read_all(int file, std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::read(file, bytes.data() + done, bytes.size() - done);
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

fs::path folder_of_user() {
  if (const std::string own = variable("ACTIO_CACHE_DIR"); !own.empty()) return own;
  if (const std::string caches = variable("XDG_CACHE_HOME"); !caches.empty()) return fs::path(caches) / "actio";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "actio";
  return {};
}

}  // namespace

const std::string& code_generator() {
  static const std::string name = ACTIO_CODE_GENERATOR;
  return name;
}

code_store::code_store(fs::path folder, std::size_t most_bytes) : folder_(std::move(folder)), most_bytes_(most_bytes) {}

code_store code_store::of_user() { return code_store(folder_of_user()); }

fs::path code_store::file_of(std::string_view key) const { return folder_ / (std::string(key) + ".code"); }

bool code_store::folder_is_ready() const {
  if (folder_.empty()) return false;
  struct stat s{};
  if (stat(folder_.c_str(), &s) != 0) {
    std::error_code failed;
    fs::create_directories(folder_.parent_path(), failed);
    if (mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
    if (stat(folder_.c_str(), &s) != 0) return false;
  }
  return S_ISDIR(s.st_mode) && is_private(s);
}

std::optional<std::string> code_store::find(std::string_view key) const {
  struct stat folder{};
  if (folder_.empty() || stat(folder_.c_str(), &folder) != 0 || !is_private(folder)) return std::nullopt;
  const fs::path path = file_of(key);
  const file_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat s{};
  if (!file.is_open() || fstat(file.number(), &s) != 0 || !S_ISREG(s.st_mode) || !is_private(s)) return std::nullopt;
  if (s.st_size < static_cast<off_t>(header_size) || static_cast<std::size_t>(s.st_size) > most_bytes_) {
    return std::nullopt;
  }
  std::string bytes(static_cast<std::size_t>(s.st_size), '\0');
  if (!read_all(file.number(), bytes) || !bytes.starts_with(magic)) return std::nullopt;
  const std::string_view text = bytes;
  const std::string_view contents = text.substr(header_size);
  // The key goes into the checksum: a file under another name is not taken for this one.
  if (text.substr(magic.size(), digest_size) != digest(std::string(key).append(contents))) return std::nullopt;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // used now; where that fails, it is dropped earlier
  return std::string(contents);
}

void code_store::keep(std::string_view key, std::string_view bytes) const {
  if (!folder_is_ready() || bytes.size() + header_size > most_bytes_) return;
  static std::atomic<unsigned> count{0};
  // Written apart and renamed, so that nobody ever sees half a file.
  const fs::path path = file_of(key);
  const fs::path apart = folder_ / (std::string(key) + "." + std::to_string(getpid()) + "-" + std::to_string(count++));
  file_descriptor file(::open(apart.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.is_open()) return;
  const std::string checksum = digest(std::string(key).append(bytes));
  bool good = write_all(file.number(), magic) && write_all(file.number(), checksum) && write_all(file.number(), bytes);
  good = file.close() && good;
  if (!good || ::rename(apart.c_str(), path.c_str()) != 0) {
    ::unlink(apart.c_str());
    return;
  }
  drop_oldest();
}

void code_store::drop_oldest() const {
  struct kept {
    fs::file_time_type used;
    std::size_t size;
    fs::path path;
  };
  std::vector<kept> files;
  std::size_t total = 0;
  std::error_code failed;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code gone;  // another process may drop files too
    const kept file{entry->last_write_time(gone), entry->file_size(gone), entry->path()};
    if (gone) continue;
    total += file.size;
    files.push_back(file);
  }
  if (total <= most_bytes_) return;
  std::sort(files.begin(), files.end(), [](const kept& a, const kept& b) { return a.used < b.used; });
  for (const kept& file : files) {
    if (total <= most_bytes_ / 4 * 3) break;  // so that not every file that follows drops another
    std::error_code gone;
    fs::remove(file.path, gone);
    total -= file.size;
  }
}

}  // namespace actio::machine_code
