// Linear systems that several tests use.
#pragma once

#include <random>

#include "actio/mechanics/linear_system.hpp"
#include "actio/mechanics/linear_table.hpp"

namespace actio::testing {

template <class S>
matrix<S> positive_matrix(std::size_t n, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  matrix<S> r(n, n);
  for (S& x : r.data()) x = S(number(random));
  matrix<S> a = r * transpose(r);
  for (std::size_t i = 0; i < n; ++i) {
    a(i, i) += S(1);
    for (std::size_t j = 0; j < i; ++j) a(i, j) = a(j, i);
  }
  return a;
}

template <class S>
linear_system<S> random_linear_system(std::size_t n, bool loaded = false) {
  std::mt19937 random(static_cast<unsigned>(100 + n));
  matrix<S> mass = positive_matrix<S>(n, random), stiffness = positive_matrix<S>(n, random);
  std::vector<S> load;
  for (std::size_t i = 0; loaded && i < n; ++i) load.push_back(S(0.25) * S(static_cast<double>(i + 1)));
  return {mass, stiffness, load};
}

// The same as a Lagrangian with numbers for entries, exactly.
template <class S>
lagrangian_system as_lagrangian(const linear_system<S>& linear) {
  lagrangian_system system;
  system.name = "linear";
  linear_form form;
  const auto exact = [](const S& x) { return named_expr{"", decimal(to_digits(x)), {}}; };
  for (std::size_t i = 0; i < linear.size(); ++i) {
    system.coordinates.push_back(expr::symbol("q" + std::to_string(i + 1)));
    form.load.push_back(exact(linear.load()[i]));
    form.mass.emplace_back();
    form.stiffness.emplace_back();
    for (std::size_t j = 0; j < linear.size(); ++j) {
      form.mass[i].push_back(exact(linear.mass()(i, j)));
      form.stiffness[i].push_back(exact(linear.stiffness()(i, j)));
    }
  }
  system.lagrangian = lagrangian_of(form, system.coordinates);
  return system;
}

// A chain of n masses on springs k between walls; `free` takes the walls away.
inline std::string chain_model(std::size_t n, bool free, const std::string& more = "") {
  std::string mass, stiffness, start, rate;
  for (std::size_t i = 0; i < n; ++i) {
    std::string m_row, k_row;
    for (std::size_t j = 0; j < n; ++j) {
      const bool at_end = i == 0 || i + 1 == n;
      const std::string k =
          i == j ? (free && at_end ? "\"k\"" : "\"2*k\"") : (i == j + 1 || j == i + 1 ? "\"-k\"" : "0");
      m_row += std::string(j ? ", " : "") + (i == j ? std::to_string(i + 1) : "0");
      k_row += std::string(j ? ", " : "") + k;
    }
    mass += (i ? ", [" : "[") + m_row + "]";
    stiffness += (i ? ", [" : "[") + k_row + "]";
    start += "q" + std::to_string(i + 1) + " = " + std::to_string(i % 3) + ".5\n";
    rate += "q" + std::to_string(i + 1) + " = " + std::to_string(i % 2) + "\n";
  }
  return "[parameters]\nk = 0.7\n[linear]\nmass = [" + mass + "]\nstiffness = [" + stiffness + "]\n" + more +
         "[initial.position]\n" + start + "[initial.momentum]\n" + rate + "[run]\nstep = 0.1\nuntil = 10\n";
}

}  // namespace actio::testing
