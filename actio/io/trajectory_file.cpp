#include "actio/io/trajectory_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "actio/base/scalar.hpp"
#include "actio/mechanics/text_check.hpp"

#ifdef ACTIO_WITH_HDF5
#include "actio/expr/indices.hpp"
#include "actio/io/hdf5_file.hpp"
#endif

namespace actio {

#ifdef ACTIO_WITH_HDF5

struct trajectory_file::contents {
  std::string path;
  hdf5_handle file;
  std::vector<std::string> columns;
  std::vector<name_block> blocks;
  std::vector<hdf5_handle> sets;  // one a block
  std::vector<std::size_t> rows;  // of each column

  // Where a column stands.
  struct place {
    hid_t set;
    const name_block& block;
    std::size_t offset;  // inside the block
  };
  place place_of(std::size_t column) const {
    const auto after = std::ranges::upper_bound(blocks, column, {}, &name_block::first);
    const auto d = static_cast<std::size_t>(after - blocks.begin()) - 1;
    return {sets[d].id(), blocks[d], column - blocks[d].first};
  }
};

namespace {

[[noreturn]] void damaged(const std::string& path, const std::string& why) {
  throw input_error("trajectory-damaged", fmt::format("'{}' is not a trajectory file of actio: {}", path, why),
                    {path, 0, 0}, "give a file that a run with @output=FILE.h5 wrote");
}

// One number or one text of fixed width, nothing else, in as many columns as the block has.
bool holds(hid_t set, const name_block& block) {
  const hdf5_handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  if (!type || !space || H5Sget_simple_extent_ndims(space.id()) != (block.is_array() ? 2 : 1)) return false;
  hsize_t sizes[2] = {0, 0};
  H5Sget_simple_extent_dims(space.id(), sizes, nullptr);
  if (block.is_array() && sizes[1] != block.count) return false;
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind == H5T_FLOAT) return H5Tget_size(type.id()) == sizeof(double);
  return kind == H5T_STRING && H5Tis_variable_str(type.id()) == 0 && H5Tget_size(type.id()) <= 200000;
}

}  // namespace

trajectory_file trajectory_file::open(const std::string& path, const std::string& table) {
  silence_hdf5();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw input_error("file-unreadable", fmt::format("cannot read '{}': there is no such file", path), {},
                      "check the path");
  }
  auto c = std::make_unique<contents>();
  c->path = path;
  c->file = hdf5_handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!c->file) damaged(path, "it is not an HDF5 file, or it is incomplete");
  const std::string group = table.empty() ? "/trajectory/" : "/" + table + "/";
  const auto order = read_text(c->file.id(), table.empty() ? "/run/columns" : "/run/" + table + "_columns");
  if (!order || !is_utf8(*order)) damaged(path, "it does not name its columns");
  std::istringstream names(*order);
  for (std::string name; std::getline(names, name);) {
    if (name.empty() || name.find('/') != std::string::npos) damaged(path, "a column has an impossible name");
    c->columns.push_back(name);
  }
  c->blocks = blocks_of_names(c->columns);
  for (const name_block& block : c->blocks) {
    c->sets.emplace_back(H5Dopen2(c->file.id(), (group + block.name).c_str(), H5P_DEFAULT), H5Dclose);
    if (!c->sets.back()) damaged(path, fmt::format("the column '{}' is missing", block.name));
    if (!holds(c->sets.back().id(), block)) {
      damaged(path, fmt::format("the column '{}' does not hold numbers", block.name));
    }
    c->rows.insert(c->rows.end(), block.count, row_count(c->sets.back().id()));
  }
  if (c->columns.empty()) damaged(path, "it has no columns");
  return trajectory_file(std::move(c));
}

std::string trajectory_file::text(const std::string& name) const {
  const std::string found = read_text(contents_->file.id(), "/run/" + name).value_or("");
  if (!is_utf8(found)) damaged(contents_->path, fmt::format("what it says of '{}' is no text", name));
  return found;
}

std::size_t trajectory_file::place_of(const std::string& column) const {
  const auto found = std::ranges::find(contents_->columns, column);
  ACTIO_ASSERT(found != contents_->columns.end());
  return static_cast<std::size_t>(found - contents_->columns.begin());
}

namespace {

// Rows `first` … `first + count − 1` of a column, as `type` has them in memory.
template <class Place>
void read_rows(const std::string& path, const Place& column, std::size_t first, std::size_t count, hid_t type,
               void* to) {
  const int dimensions = column.block.is_array() ? 2 : 1;
  const hsize_t start[2] = {first, column.offset}, size[2] = {count, 1};
  const hdf5_handle memory(H5Screate_simple(dimensions, size, nullptr), H5Sclose),
      source(H5Dget_space(column.set), H5Sclose);
  H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, start, nullptr, size, nullptr);
  if (H5Dread(column.set, type, memory.id(), source.id(), H5P_DEFAULT, to) < 0) {
    damaged(path, "its rows cannot be read");
  }
}

}  // namespace

bool trajectory_file::holds_doubles(const std::string& column) const {
  const hdf5_handle type(H5Dget_type(contents_->place_of(place_of(column)).set), H5Tclose);
  return H5Tget_class(type.id()) == H5T_FLOAT;
}

std::vector<double> trajectory_file::numbers(const std::string& column, std::size_t first, std::size_t count) const {
  ACTIO_ASSERT(first + count <= rows());
  std::vector<double> result(count);
  read_rows(contents_->path, contents_->place_of(place_of(column)), first, count, H5T_NATIVE_DOUBLE, result.data());
  return result;
}

std::vector<std::string> trajectory_file::values(const std::string& column, std::size_t first,
                                                 std::size_t count) const {
  ACTIO_ASSERT(first + count <= rows());
  std::vector<std::string> result;
  if (holds_doubles(column)) {
    for (const double x : numbers(column, first, count)) result.push_back(to_digits(x));
    return result;
  }
  const contents::place at = contents_->place_of(place_of(column));
  const hdf5_handle type(H5Dget_type(at.set), H5Tclose);
  const std::size_t width = H5Tget_size(type.id());
  std::string bytes(count * width, '\0');
  read_rows(contents_->path, at, first, count, type.id(), bytes.data());
  for (std::size_t k = 0; k < count; ++k) result.emplace_back(bytes.substr(k * width, width).c_str());
  if (!std::ranges::all_of(result, [](const std::string& x) { return is_utf8(x); })) {
    damaged(contents_->path, fmt::format("the column '{}' does not hold numbers", column));
  }
  return result;
}

#else

struct trajectory_file::contents {
  std::vector<std::string> columns;
  std::vector<std::size_t> rows;
};

trajectory_file trajectory_file::open(const std::string& path, const std::string&) {
  throw input_error("format-unavailable", fmt::format("'{}' cannot be read: this build of actio has no HDF5", path),
                    {path, 0, 0}, "build actio with HDF5");
}
std::string trajectory_file::text(const std::string&) const { return ""; }
std::vector<std::string> trajectory_file::values(const std::string&, std::size_t, std::size_t) const { return {}; }
bool trajectory_file::holds_doubles(const std::string&) const { return false; }
std::vector<double> trajectory_file::numbers(const std::string&, std::size_t, std::size_t) const { return {}; }

#endif

trajectory_file::trajectory_file(std::unique_ptr<contents> c) : contents_(std::move(c)) {}
trajectory_file::trajectory_file(trajectory_file&&) noexcept = default;
trajectory_file::~trajectory_file() = default;
const std::vector<std::string>& trajectory_file::columns() const { return contents_->columns; }
std::size_t trajectory_file::rows() const { return std::ranges::min(contents_->rows); }
const std::vector<std::size_t>& trajectory_file::rows_of_columns() const { return contents_->rows; }

}  // namespace actio
