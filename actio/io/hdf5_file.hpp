// Handles and small helpers for HDF5's C interface; included only by the sources that speak to HDF5.
#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <utility>

#include "actio/base/scalar.hpp"

namespace actio {

// Owns an HDF5 identifier and the function that gives it back.
class hdf5_handle {
 public:
  using closer = herr_t (*)(hid_t);
  hdf5_handle() = default;
  hdf5_handle(hid_t id, closer close) : id_(id), close_(close) {}
  hdf5_handle(hdf5_handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  hdf5_handle& operator=(hdf5_handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~hdf5_handle() {
    if (id_ >= 0) close_(id_);
  }
  // Forgets the identifier: after a failed write, HDF5 crashes when it is asked to tidy up.
  void abandon() { id_ = -1; }
  hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  closer close_ = nullptr;
};

// Errors are reported by return values; HDF5 prints nothing of its own and does nothing at exit. Call it before
// anything else of HDF5.
void silence_hdf5();

// The type of a column: numbers, or texts of fixed width for scalars that HDF5 does not know.
template <class S>
hdf5_handle hdf5_type(std::size_t width) {
  if constexpr (std::same_as<S, double>) return {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose};
  hdf5_handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), width);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  return type;
}

// A text as a scalar dataset (attributes are limited to 64 kB); replaces one of the same name.
bool write_text(hid_t file, const std::string& path, const std::string& text);
std::optional<std::string> read_text(hid_t file, const std::string& path);
std::size_t row_count(hid_t dataset);

}  // namespace actio
