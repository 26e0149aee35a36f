// Names of symmetries, after what they move.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// A generator ξ(q) = Aq + b by its entries that are not zero; `by` is the number of coordinates for an entry of b.
struct generator_entry {
  std::size_t moved, by;
  quad value;
};

// Gives each generator a name that no other quantity of the system has:
// - p_x where it moves the coordinate x alone, whatever the position: its momentum is that of x;
// - momentum_x where it moves x1, x2, x3 alike, momentum_x_phi where it moves x and phi;
// - rotation_xy where it turns planes (x1, y1), (x2, y2): ξ_x = −y, ξ_y = x, so that its momentum is x p_y − y p_x;
//   rotation_ab_cd where it turns the planes (a, b) and (c, d) together, rotation_xy_z where z moves along;
// - symmetry_1, symmetry_2 and so on otherwise.
// Where a name is taken, the next one of NAME_2, NAME_3 and so on that is free.
class generator_names {
 public:
  explicit generator_names(const lagrangian_system& system);
  std::string name_of(const std::vector<generator_entry>& entries);

 private:
  std::string wanted(const std::vector<generator_entry>& entries) const;
  std::string translation(const std::vector<generator_entry>& entries) const;
  std::string rotation(const std::vector<generator_entry>& entries) const;

  std::vector<std::string> coordinates_;
  std::unordered_set<std::string> taken_;
};

// What the names of coordinates have in common: "x" of x1, x2 and of sun_x, moon_x; the name itself of one; empty where
// they have nothing in common.
std::string common_stem(const std::vector<std::string>& names);

}  // namespace actio
