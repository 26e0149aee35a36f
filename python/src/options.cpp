// Option descriptors for Python, and options from Python as the texts that a command line would have.
#include <pybind11/stl.h>

#include <algorithm>

#include "actio/base/option.hpp"
#include "actio/base/option_naming.hpp"
#include "bindings.hpp"

namespace actio::python {

namespace {

std::string keyword_of(std::string_view option) {
  std::string word(option);
  std::ranges::replace(word, '-', '_');
  return word;
}

const char* word_of(option_type type) {
  switch (type) {
    case option_type::number: return "number";
    case option_type::count: return "count";
    case option_type::flag: return "flag";
    case option_type::path: return "path";
    case option_type::assignment: return "assignment";
    case option_type::text: break;
  }
  return "text";
}

}  // namespace

option_values typed_options(const py::dict& given) {
  option_values options;
  for (const auto& [name, value] : given) {
    const auto option = py::cast<std::string>(name);
    options.set(option, typed_option(option, py::cast<std::string>(value)));
  }
  return options;
}

std::vector<source_text> typed_list(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<source_text> list;
  for (const std::string& text : texts) list.push_back(typed_option(name, text));
  return list;
}

void bind_options(py::module_& m) {
  m.def("options_of", [](const std::string& command) {
    py::list all;
    for (const option_descriptor* option : options_of(command)) {
      all.append(py::dict(py::arg("name") = std::string(option->name), py::arg("keyword") = keyword_of(option->name),
                          py::arg("type") = word_of(option->type),
                          py::arg("default") = std::string(option->default_value),
                          py::arg("sentence") = named_options(option->sentence),
                          py::arg("metavar") = std::string(option->metavar), py::arg("in_model") = option->in_model));
    }
    return all;
  });
}

}  // namespace actio::python
