// Numbers of the library as NumPy arrays.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/base/scalar.hpp"
#include "bindings.hpp"

namespace actio::python {

// A view of numbers that `owner` keeps alive; nobody may write there.
inline py::array view_of(const double* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  py::array result(py::dtype::of<double>(), std::move(shape), data, owner);
  result.attr("flags").attr("writeable") = false;
  return result;
}

// Numbers that were moved out of the library into an array of their own; in rows of `width` where there are rows.
template <class Number>
py::array owned(std::vector<Number> numbers, std::optional<std::size_t> rows = {}, std::size_t width = 0) {
  auto* kept = new std::vector<Number>(std::move(numbers));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<Number>*>(p); });
  const auto size = static_cast<py::ssize_t>(kept->size());
  std::vector<py::ssize_t> shape{size};
  if (rows) shape = {static_cast<py::ssize_t>(*rows), static_cast<py::ssize_t>(width)};
  return py::array(py::dtype::of<Number>(), std::move(shape), kept->data(), owner);
}

inline py::array copy_of(std::span<const double> numbers) {
  return py::array(py::dtype::of<double>(), {static_cast<py::ssize_t>(numbers.size())}, numbers.data());
}

// Numbers of higher precision as a list of (mantissa in hexadecimal, exponent): value = mantissa · 2^exponent; or of
// (None, text) for what is not finite.
py::list exact_parts(const std::vector<quad>& numbers);
py::list exact_parts(const std::vector<multi>& numbers);

}  // namespace actio::python
