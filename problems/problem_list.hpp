// The catalogue of problems for people and for programs; its entries are in problem_catalogue().
#pragma once

#include <string>

#include "actio/api/method_list.hpp"
#include "problems/problem.hpp"

namespace actio {

listing list_problems();

// Source, exact motion and model file of a problem.
std::string description(const problem& p);

}  // namespace actio
