#include "force.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "answers.hpp"
#include "arrays.hpp"

namespace actio::python {

namespace {

[[noreturn]] void refuse(const char* id, const std::string& message, const std::string& cure) {
  throw input_error(id, message, {"force=", 0, 0}, cure);
}

double number_from(const py::handle& value, const double*) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return number;
}

// mantissa · 2^exponent of an mpmath number, from the top; other numbers as floats.
template <class S>
S number_from(const py::handle& value, const S*) {
  if (!py::hasattr(value, "_mpf_")) return S(number_from(value, static_cast<const double*>(nullptr)));
  const py::tuple parts = value.attr("_mpf_");
  const py::int_ mantissa(parts[1]);
  const auto bits = py::cast<long>(mantissa.attr("bit_length")());
  const auto exponent = py::cast<long>(parts[2]);
  if (bits == 0) return exponent == 0 ? S(0) : S(number_from(value, static_cast<const double*>(nullptr)));
  constexpr long chunk = 32;
  S number(0);
  for (long at = (bits + chunk - 1) / chunk * chunk - chunk; at >= 0; at -= chunk) {
    const py::int_ digits = (mantissa >> py::int_(at)) & py::int_((1L << chunk) - 1);
    number = number * S(4294967296.0) + S(static_cast<double>(py::cast<long>(digits)));
  }
  number = ldexp(number, static_cast<int>(exponent));
  return py::cast<int>(parts[0]) != 0 ? S(-number) : number;
}

py::object numbers_of(std::span<const double> values) { return copy_of(values); }
template <class S>
py::object numbers_of(std::span<const S> values) {
  return py::module_::import("actio._arrays")
      .attr("mpmath_array")(exact_parts(std::vector<S>(values.begin(), values.end())));
}

class python_force {
 public:
  python_force(const py::object& function, const lagrangian_system& system, python_watch* watch)
      : function_(shared_object(function)), names_(system.coordinate_names()), watch_(watch) {}

  template <class S>
  void operator()(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> force) const {
    ask_python(watch_, [&] {
      const py::object time = numbers_of(std::span<const S>(&t, 1)).attr("__getitem__")(0);
      read((*function_)(time, numbers_of(q), numbers_of(v)), force);
    });
  }

 private:
  template <class S>
  void read(const py::object& answer, std::span<S> force) const {
    const S* kind = nullptr;
    if (answer.is_none()) return;
    if (py::isinstance<py::dict>(answer)) {
      for (const auto& [key, value] : py::cast<py::dict>(answer)) {
        const std::string name = py::str(key);
        const auto place = std::ranges::find(names_, name);
        if (place == names_.end()) {
          refuse("unknown-name", fmt::format("the force function gives a force on '{}', which is no coordinate", name),
                 suggest(name, names_));
        }
        force[static_cast<std::size_t>(place - names_.begin())] = number_from(value, kind);
      }
      return;
    }
    if (!py::hasattr(answer, "__len__")) {
      if (force.size() != 1) refuse_force_size(1, force.size());
      force[0] = number_from(answer, kind);
      return;
    }
    if (py::len(answer) != force.size()) refuse_force_size(py::len(answer), force.size());
    std::size_t i = 0;
    for (const py::handle& value : answer) force[i++] = number_from(value, kind);
  }

  std::shared_ptr<py::object> function_;
  std::vector<std::string> names_;
  python_watch* watch_;
};

}  // namespace

std::shared_ptr<const force_function> force_of(const py::object& force, const lagrangian_system& system,
                                               python_watch* watch) {
  if (force.is_none()) return nullptr;
  if (PyCallable_Check(force.ptr()) == 0) {
    refuse("wrong-type", "'force' is no function", "give f(t, q, v), which returns one force a coordinate");
  }
  return force_from(python_force(force, system, watch));
}

}  // namespace actio::python
