#include "actio/mechanics/random_points.hpp"

#include <algorithm>
#include <cmath>

#include "actio/mechanics/model.hpp"

namespace actio {

random_points::random_points(const lagrangian_system& system, std::span<const expr> outputs)
    : variables_(system.coordinates) {
  const std::vector<expr> velocities = system.velocities();
  variables_.insert(variables_.end(), velocities.begin(), velocities.end());
  variables_.push_back(time_symbol());
  evaluation_ = compile<quad>(lower(outputs, system.parameter_symbols(), variables_))->evaluate_at(1);
  evaluation_->set_parameters(parameter_values<quad>(system));
  in_.resize(variables_.size() * evaluation_->stride(), quad(0));
  out_.resize(std::max<std::size_t>(1, outputs.size()) * evaluation_->stride(), quad(0));
  values_.resize(outputs.size());
}

bool random_points::draw() {
  constexpr int most_tries = 400;
  const std::size_t stride = evaluation_->stride();
  const std::size_t size = (variables_.size() - 1) / 2;
  quad speed = 1;
  for (int tries = 0; tries < most_tries; ++tries) {
    // Some Lagrangians exist for slow motion only, such as relativistic ones.
    if (tries % 20 == 19) speed /= 2;
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      const bool is_velocity = k >= size && k < 2 * size;
      in_[k * stride] = number_of_order_one() * (is_velocity ? speed : quad(1));
    }
    (*evaluation_)(in_.data(), out_.data());
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = out_[k * stride];
    if (std::all_of(values_.begin(), values_.end(), [](const quad& x) { return is_finite(x); })) return true;
  }
  return false;
}

std::string random_points::description() const {
  constexpr std::size_t most_listed = 12;
  std::string text;
  for (std::size_t k = 0; k < std::min(variables_.size(), most_listed); ++k) {
    if (k > 0) text += ", ";
    text += variables_[k].name() + " = " + to_brief(in_[k * evaluation_->stride()]);
  }
  return variables_.size() > most_listed ? text + ", ..." : text;
}

// Between 0.2 and 1.2 in absolute value, of either sign: away from zero, where identities may hold by chance.
quad random_points::number_of_order_one() {
  const std::uint64_t word = bits_();
  const quad magnitude = quad(0.2) + ldexp(quad(word >> 12), -52);
  return (word & 1U) != 0 ? magnitude : quad(-magnitude);
}

std::optional<nonzero_point> find_nonzero_sum(const lagrangian_system& system, std::span<const expr> terms,
                                              std::span<const expr> references) {
  constexpr int points = 20;
  const quad beside_terms = 1e-20, beside_references = 1e-26;
  expr sum = 0;
  for (const expr& term : terms) sum += term;
  if (sum.is_zero()) return std::nullopt;
  std::vector<expr> outputs(terms.begin(), terms.end());
  outputs.insert(outputs.end(), references.begin(), references.end());
  random_points at(system, outputs);
  for (int i = 0; i < points && at.draw(); ++i) {
    quad value = 0, size = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const quad& x = at.values()[k];
      if (k < terms.size()) value += x;
      size += abs(x) * (k < terms.size() ? beside_terms : beside_references);
    }
    if (abs(value) > size) return nonzero_point{value, at.description()};
  }
  return std::nullopt;
}

}  // namespace actio
