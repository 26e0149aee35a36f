// What a model says of instants: events, where an expression goes through zero, and controls that are sampled.
#pragma once

#include <string>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// Ways through zero.
enum class crossing { up, down, both };

// What an event gives a new value to.
enum class assigned_kind { position, velocity, momentum, parameter };

struct assigned_value {
  assigned_kind kind;
  std::size_t index;  // of the coordinate or the parameter
  expr value;         // in coordinates, velocities, momenta, t and the parameters just before
  source_place place = {};
};

struct model_event {
  std::string name;
  expr when;  // in coordinates, velocities, momenta, t and the parameters
  crossing direction = crossing::both;
  bool stops = false;                    // the run ends there
  std::vector<assigned_value> set = {};  // all at once; then the motion goes on from there
  bool ends_step = false;                // a step ends there, though nothing is set: a kink
  source_place place = {};

  bool only_records() const { return !stops && set.empty() && !ends_step; }
};

// A parameter that gets a new value at the start and after every `every` of time, and keeps it between.
struct sampled_control {
  std::size_t parameter;
  expr value;  // of the state at the sample
  expr every;  // positive, in the parameters
  source_place place = {};
};

}  // namespace actio
