// Newmark's family with the parameters β and γ. Its members are methods of their own, with names that say which:
// newmark-beta is β = 1/4, γ = 1/2, and newmark-beta:0.3:0.6 is β = 0.3, γ = 0.6.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "actio/base/scalar.hpp"
#include "actio/integrate/catalogue.hpp"

namespace actio {

std::vector<method> newmark_methods();

struct newmark_parameters {
  rational beta{1, 4}, gamma{1, 2};
};

// A number as β and γ are written, "0.25" or "1/4"; nothing where the text is none or negative.
std::optional<rational> newmark_number(std::string_view text);

// Made once and kept: methods are compared by where they stand.
const method& newmark_member(const newmark_parameters& parameters);
// The member that a name means, newmark-beta:B:G; nullptr where it means none.
const method* newmark_member_named(std::string_view name);

// Whether β and γ say something about the method of this name: newmark, which is midpoint without them, and the family.
bool takes_newmark_parameters(std::string_view name);

}  // namespace actio
