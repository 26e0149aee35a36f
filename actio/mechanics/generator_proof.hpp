// Whether generators of symmetries that were found are symmetries. Internal to mechanics/.
//
// They are tested at points that had no part in the search, near and far, first in quad. A wall such as (x/1e4)^40 is
// less there than the last digit of quad beside what cancels; the numbers of a generator are exact, so that it can be
// tested with any number of digits, and a true one vanishes to nearly all of them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "actio/mechanics/generator_names.hpp"
#include "actio/mechanics/variation_equations.hpp"

namespace actio {

struct exact_generator {
  std::vector<expr> value;               // one a coordinate; empty where its numbers cannot be written exactly
  std::vector<generator_entry> entries;  // the same as numbers
  std::vector<expr> formulas;            // and as they are written, one an entry
};

class generator_proof {
 public:
  // The equations draw the points. `free` as there; velocities are zero where the generators are those `at_rest`.
  generator_proof(const lagrangian_system& system, std::span<const std::size_t> free,
                  variation_equations<quad>& equations, bool at_rest, bool of_momenta = false)
      : system_(system),
        free_(free.begin(), free.end()),
        equations_(equations),
        at_rest_(at_rest),
        of_momenta_(of_momenta) {}

  // Erases those that are not.
  void keep_true(std::vector<exact_generator>& generators);

 private:
  void keep_true_in_quad(std::vector<exact_generator>& generators);
  void keep_true_in_digits(std::vector<exact_generator>& generators);
  // By motions of some size along a generator, which cross places where L jumps.
  void keep_true_across_jumps(std::vector<exact_generator>& generators);

  const lagrangian_system& system_;
  std::vector<std::size_t> free_;
  variation_equations<quad>& equations_;
  bool at_rest_, of_momenta_;
  std::unique_ptr<variation_equations<proof_real>> exact_;  // with its own number of digits
};

}  // namespace actio
