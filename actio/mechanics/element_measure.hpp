// What is measured of a system that is made of elements, as sums over elements. Internal to mechanics/.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/mechanics/element_sums.hpp"

namespace actio {

// Expressions in coordinates, velocities, momenta and t, in the places of phase_space. The first ones belong to L.
class measured_sums {
 public:
  // `others` stand at the places from `first` on.
  measured_sums(const system_code& code, std::span<const expr> others, std::size_t first);
  const std::vector<element_request>& requests() const { return requests_; }
  std::size_t places() const { return places_; }
  // Places of L: its value without constant terms, what rounding makes of that, the kinetic scale, the constant terms.
  // Whether anything but L is measured: only then momenta may be.
  bool has_others() const { return !families_.empty(); }
  static constexpr std::uint32_t lagrangian_place = 0, rounding_place = 1, kinetic_place = 2, constant_place = 3;

 private:
  std::vector<element_family> families_;  // of the others
  std::vector<element_request> requests_;
  std::size_t places_;
};

template <class S>
class recursive_jet;  // recursive_jet.hpp

template <class S>
class element_measure {
 public:
  element_measure(std::shared_ptr<const measured_sums> sums, std::shared_ptr<const element_code<S>> code,
                  const system_code& system, const shared_parameters<S>& parameters);
  ~element_measure();

  void operator()(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p, std::span<S> values);

 private:
  S kinetic_scale_of_driven(std::span<const S> v);
  std::shared_ptr<const measured_sums> sums_of_;
  element_sums<S> sums_;
  std::unique_ptr<recursive_jet<S>> recursive_;  // where recursive definitions are kept
  std::vector<S> in_, out_;                      // of it; out_ where definitions depend on time
  std::vector<S> positions_;                     // q, then p, where momenta may be measured
  std::vector<S*> places_;
};

}  // namespace actio
