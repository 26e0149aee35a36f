// What people give and their functions answer, as numbers of the library: refused with words of Python where it is
// none.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace actio::python {

// {"w": 4}: values of parameters by name, from any mapping that is the `whose` argument or its answer. Throws
// wrong-type.
std::vector<std::pair<std::string, double>> named_values(const py::object& given, const std::string& whose);

// An object whose last owner may be without the GIL.
std::shared_ptr<py::object> shared_object(const py::object& held);

}  // namespace actio::python
