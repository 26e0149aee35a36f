// Random models with one or two coordinates: the text that actio reads, and the same model as functions of numbers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/random_models/jet.hpp"

namespace actio::random_models {

using point = std::array<jet, variables>;

// A formula in the language of model files beside what it means.
struct formula {
  std::string text;
  std::function<jet(const point&)> value;
};

struct random_model {
  std::uint64_t seed = 0;
  std::size_t coordinates = 1;  // q1, q2
  formula lagrangian;
  std::vector<formula> forces;  // on each coordinate, or none
  bool conservative = true;     // no forces, no time in the Lagrangian
  bool from_momentum = false;   // the initial data are momenta instead of velocities
  std::vector<real> position, rate;
  std::string method, backend;
  real step = 0;
  std::size_t steps = 0;
  std::string text;  // the model file, with its [run]
};

// The model that belongs to a seed, on every machine.
random_model make_random_model(std::uint64_t seed);

}  // namespace actio::random_models
