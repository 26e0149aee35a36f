// Trajectory files: what `actio show` and `--again` read, from HDF5 files with unexpected contents.
//
// Damaged bytes are HDF5's business (docs/audit.md); here the files are sound and their contents are not. The input is
// a list of what a file holds, one object a line, KIND PATH=VALUE, in which ';' stands for a line break:
//   s text of fixed width    v text of any width    d doubles: their number    f, i: the same with float, int
//   w texts of a fixed width: WIDTH,NUMBER    m matrix of doubles    n no space    g group    l soft link
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <vector>

#include "actio/io/hdf5_file.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/io/trajectory_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace actio;

namespace {

constexpr hsize_t most = 64;  // elements in one direction

hdf5_handle text_type(std::size_t width) {
  hdf5_handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), width);
  return type;
}

hsize_t number(const std::string& text) { return std::strtoul(text.c_str(), nullptr, 10) % (most + 1); }

void put(hid_t file, const std::string& path, hid_t type, hid_t space, const void* data) {
  const hdf5_handle parents(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(parents.id(), 1);
  const hdf5_handle set(H5Dcreate2(file, path.c_str(), type, space, parents.id(), H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (set && data) H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
}

void put_list(hid_t file, const std::string& path, hid_t type, std::vector<hsize_t> extents) {
  const hdf5_handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
  std::vector<char> bytes(most * most * std::max<std::size_t>(H5Tget_size(type), 1), '1');
  put(file, path, type, space.id(), bytes.data());
}

void put_object(hid_t file, char kind, const std::string& path, std::string value) {
  std::ranges::replace(value, ';', '\n');
  const hdf5_handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const char* text = value.c_str();
  switch (kind) {
    case 's': return put(file, path, text_type(value.size() + 1).id(), scalar.id(), text);
    case 'v': return put(file, path, text_type(H5T_VARIABLE).id(), scalar.id(), &text);
    case 'd': return put_list(file, path, H5T_NATIVE_DOUBLE, {number(value)});
    case 'f': return put_list(file, path, H5T_NATIVE_FLOAT, {number(value)});
    case 'i': return put_list(file, path, H5T_NATIVE_INT, {number(value)});
    case 'w': {
      const std::size_t comma = value.find(',');
      return put_list(file, path, text_type(number(value) + 1).id(),
                      {comma == std::string::npos ? 1 : number(value.substr(comma + 1))});
    }
    case 'm': return put_list(file, path, H5T_NATIVE_DOUBLE, {number(value), 2});
    case 'n': return put(file, path, H5T_NATIVE_DOUBLE, hdf5_handle(H5Screate(H5S_NULL), H5Sclose).id(), nullptr);
    case 'g':
      (void)hdf5_handle(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      return;
    case 'l': H5Lcreate_soft(text, file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT); return;
    default: return;
  }
}

void write_file(const std::string& path, const std::string& description) {
  const hdf5_handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (line.size() < 3 || equals == std::string::npos || equals < 3) continue;
    put_object(file.id(), line[0], line.substr(2, equals - 2), line.substr(equals + 1));
  }
}

void read_file(const std::string& path) {
  const trajectory_file file = trajectory_file::open(path);
  for (const std::string& name : file.columns()) {
    if (file.rows() == 0) continue;
    fuzz::require(file.values(name, 0, 1).size() == 1, "one row is one value");
    fuzz::require(file.values(name, 0, file.rows()).size() == file.rows(), "every row has a value");
  }
  (void)file.text("certificate");
  (void)model_of(recipe_in(file, path));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("actio-fuzz-" + std::to_string(getpid()) + ".h5")).string();
  const std::string description(data, data + size);
  silence_hdf5();
  write_file(path, description);
  fuzz::attempt([] { read_file(path); });
  std::filesystem::remove(path);
  return 0;
}
