// What the text of a Gauss step needs to know of method and system.
#pragma once

#include <cstddef>
#include <vector>

#include "actio/program/field_code.hpp"

namespace actio::kernel {

struct gauss_tables {
  std::size_t points = 1;
  std::vector<double> nodes = {};                            // τ_i
  std::vector<double> stages = {}, stage_remainders = {};    // a_ij
  std::vector<double> weights = {}, weight_remainders = {};  // b_i
  // Z_i over h where the rates at nodes before i are known: coefficients of these and, from i on, of those of the last
  // step. By all of them; by those of this step and the last one of the other.
  std::vector<double> following = {}, beginning = {};
  std::vector<matrix_entry> inverse_mass = {};  // what the equations know of it, see field_code
};

// Numbers of one trajectory between steps, a row each.
struct trajectory_rows {
  // `remembered` by its steps; parameters of its own, conserved momenta, other values; 1 where neighbours are followed.
  std::size_t coordinates, remembered, varied, momenta, more, neighbours = 0;

  std::size_t components() const { return 2 * coordinates; }
  std::size_t state(std::size_t c) const { return c; }
  std::size_t remainder(std::size_t c) const { return components() + c; }
  std::size_t step() const { return 2 * components(); }
  std::size_t steps() const { return step() + 1; }    // how many are wanted
  std::size_t lives() const { return step() + 2; }    // 1, or 0 once it could not be solved
  std::size_t follows() const { return step() + 3; }  // 1 where a step before is remembered
  std::size_t effort() const { return step() + 4; }   // iterations so far
  std::size_t missing() const { return step() + 5; }  // that iterations may leave, see stage_rules::floor_of_missing
  std::size_t parameter(std::size_t k) const { return step() + 6 + k; }
  // What is known of the neighbour: its distance, the largest norms of position and momentum, Σ log of its growth and
  // what rounding takes of that.
  std::size_t beside(std::size_t k) const { return parameter(varied) + k; }
  std::size_t memory(std::size_t k) const { return beside(5 * neighbours) + k; }
  // Of the certificate.
  std::size_t initial_energy() const { return memory(remembered); }
  std::size_t reference() const { return initial_energy() + 1; }
  std::size_t energy_error() const { return initial_energy() + 2; }
  std::size_t kinetic() const { return initial_energy() + 3; }
  std::size_t work() const { return initial_energy() + 4; }  // and what rounding takes of it
  std::size_t initial_momentum(std::size_t k) const { return work() + 2 + k; }
  std::size_t momentum_error(std::size_t k) const { return initial_momentum(momenta + k); }
  std::size_t value(std::size_t k) const { return momentum_error(momenta + k); }  // what else is measured
  std::size_t count() const { return value(more); }
};

}  // namespace actio::kernel
