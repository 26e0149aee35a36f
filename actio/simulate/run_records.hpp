// What reports say of a run, as plain data: projections of its start, conserved quantities, trends, jumps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actio {

// How far --project moved the initial data: the largest change of a position and of a momentum.
template <class S>
struct start_projection {
  S position{0}, momentum{0};
};

// Where surfaces stuck: a velocity, or a difference of some, that forces held at zero.
template <class S>
struct holding_record {
  std::string name;       // "x' - belt = 0"
  std::size_t times = 0;  // that it came to be held
  S first{0}, last{0};    // the first and the last of them
  S duration{0};          // in all
  bool holds = false;     // at the end as well
};

// Is a quantity conserved?
enum class conservation {
  to_rounding,  // nothing but rounding changes it
  bounded,      // its error comes back, or has come to rest
  drifts,       // its error grows from the beginning of the run to its end
  too_short,    // neither can be said: the run is too short
};
std::string_view to_text(conservation verdict);  // "to rounding", "bounded", "drifts", "too short to say"

struct drift_estimate {
  double per_time = 0;     // slope of the fitted line
  double uncertainty = 0;  // its standard error, with the correlation of neighbouring windows
  conservation verdict = conservation::too_short;
  bool grows = false;  // the verdict is that it drifts
};

// A quantity that should stay what it was, and what became of it.
template <class S>
struct conserved_record {
  std::string name;
  bool is_invariant = false;  // declared, not found
  S initial{0}, final{0}, max_error{0};
  S scale{0};     // the largest sum of the sizes of its terms
  S rounding{0};  // the largest that rounding may have made of it, in units of the relative rounding of numbers
  // Events gave it other values so often, and so much in all; the error is that of the motion between them.
  std::size_t changes = 0;
  S change{0};
  drift_estimate drift = {};
};

// The energy that a symplectic method keeps in the place of H.
template <class S>
struct shadow_record {
  int order = 0;  // to which power of the step it is right: the highest that varied little; 0: the run was too short
  conserved_record<S> energy;  // of that order
  S uncertainty{0};            // of its value: by how much it differs from that of the order below
  struct deviation {
    int order;
    S max_error;
  };
  std::vector<deviation> all;  // every order that was followed
};

// Where a Lagrangian jumps, and by how much.
struct lagrangian_jump {
  double time = 0, change = 0;
};

}  // namespace actio
