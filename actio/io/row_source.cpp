#include "actio/io/row_source.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "actio/io/row_sink.hpp"
#include "actio/io/trajectory_file.hpp"

namespace actio {

namespace {

[[noreturn]] void damaged(const std::string& path, const std::string& why) {
  throw input_error("trajectory-damaged", fmt::format("'{}' cannot be read as rows of an ensemble: {}", path, why),
                    {path, 0, 0}, "give a file that an ensemble wrote, or compute it again");
}

std::ifstream opened(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (file) return file;
  throw input_error("file-unreadable", fmt::format("cannot read '{}': there is no such file", path), {},
                    "check the path");
}

std::string head_of(std::ifstream& file, std::size_t size) {
  std::string head(size, '\0');
  file.read(head.data(), static_cast<std::streamsize>(size));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

class csv_source final : public row_source {
 public:
  csv_source(std::string path, const std::vector<std::string>& columns) : path_(std::move(path)), file_(opened(path_)) {
    const std::string header = csv_header(columns);
    if (head_of(file_, header.size()) != header) damaged(path_, "it has other columns");
  }

  void next(std::span<double> row) override {
    if (!std::getline(file_, line_) || file_.eof()) damaged(path_, "it has fewer rows than it should");
    const char *at = line_.data(), *const end = at + line_.size();
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto [read, error] = std::from_chars(at, end, row[k]);
      const bool is_last = k + 1 == row.size();
      if (error != std::errc() || (is_last ? read != end : read == end || *read != ',')) {
        damaged(path_, fmt::format("'{}' is no row of {} numbers", line_.substr(0, 40), row.size()));
      }
      at = read + 1;
    }
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::string line_;
};

class npy_source final : public row_source {
 public:
  npy_source(std::string path, const std::vector<std::string>& columns) : path_(std::move(path)), file_(opened(path_)) {
    const npy_header header = npy_header_of<double>(columns);
    if (!header.fits(head_of(file_, header.bytes.size()))) damaged(path_, "it has other columns");
  }

  void next(std::span<double> row) override {
    file_.read(reinterpret_cast<char*>(row.data()), static_cast<std::streamsize>(row.size_bytes()));
    if (static_cast<std::size_t>(file_.gcount()) != row.size_bytes()) {
      damaged(path_, "it has fewer rows than it should");
    }
  }

 private:
  std::string path_;
  std::ifstream file_;
};

class hdf5_source final : public row_source {
 public:
  hdf5_source(const std::string& path, const std::string& table, const std::vector<std::string>& columns,
              std::size_t rows)
      : file_(trajectory_file::open(path, table)), rows_(rows), block_(columns.size()) {
    if (file_.columns() != columns) damaged(path, "it has other columns");
    if (file_.rows() < rows) damaged(path, "it has fewer rows than it should");
    for (const std::string& name : columns) {
      if (!file_.holds_doubles(name)) damaged(path, fmt::format("its column '{}' does not hold doubles", name));
    }
  }

  void next(std::span<double> row) override {
    constexpr std::size_t most = 8192;
    if (at_ % most == 0) {
      for (std::size_t k = 0; k < block_.size(); ++k) {
        block_[k] = file_.numbers(file_.columns()[k], at_, std::min(most, rows_ - at_));
      }
    }
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = block_[k][at_ % most];
    ++at_;
  }

 private:
  trajectory_file file_;
  std::size_t rows_, at_ = 0;
  std::vector<std::vector<double>> block_;  // one a column
};

}  // namespace

std::unique_ptr<row_source> open_rows(const std::string& path, const std::string& table,
                                      const std::vector<std::string>& columns, std::size_t rows) {
  const std::vector<std::string> names = stored_names({path, {}, ""}, columns);
  if (path.ends_with(".h5")) return std::make_unique<hdf5_source>(path, table, names, rows);
  const std::string file = table.empty() ? path : table_file(path, table);
  if (path.ends_with(".csv")) return std::make_unique<csv_source>(file, names);
  if (path.ends_with(".npy")) return std::make_unique<npy_source>(file, names);
  damaged(path, "its name does not end as files of actio do");
}

}  // namespace actio
