#ifdef ACTIO_WITH_HDF5

#include "actio/io/hdf5_file.hpp"

#include <vector>

namespace actio {

void silence_hdf5() {
  static const bool once = H5dont_atexit() >= 0 && H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(once);
}

bool write_text(hid_t file, const std::string& path, const std::string& text) {
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  const hdf5_handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.id(), std::max<std::size_t>(text.size(), 1));
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  const hdf5_handle set(H5Dcreate2(file, path.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                        H5Dclose);
  return set && H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.empty() ? "\0" : text.data()) >= 0;
}

std::optional<std::string> read_text(hid_t file, const std::string& path) {
  constexpr std::size_t longest = 64 << 20;
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return {};
  const hdf5_handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set) return {};
  const hdf5_handle type(H5Dget_type(set.id()), H5Tclose), space(H5Dget_space(set.id()), H5Sclose);
  if (!type || !space || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0) return {};
  const std::size_t size = H5Tget_size(type.id());
  if (H5Sget_simple_extent_npoints(space.id()) != 1 || size > longest) return {};
  std::string text(size, '\0');
  if (H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return {};
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

std::size_t row_count(hid_t dataset) {
  const hdf5_handle space(H5Dget_space(dataset), H5Sclose);
  hsize_t sizes[2] = {0, 0};
  const int dimensions = space ? H5Sget_simple_extent_ndims(space.id()) : 0;
  if (dimensions < 1 || dimensions > 2) return 0;
  H5Sget_simple_extent_dims(space.id(), sizes, nullptr);
  return sizes[0];
}

}  // namespace actio

#endif
