// The catalogue of methods for people and for programs; its numbers are in method_catalogue().
#pragma once

#include <string>

#include "actio/integrate/catalogue.hpp"

namespace actio {

struct listing {
  std::string text, json;
};

listing list_methods();

// Formula, promises, stability, needs and references of a method, one a line.
std::string description(const method& m);

}  // namespace actio
