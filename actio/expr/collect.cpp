#include "actio/expr/collect.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace actio {

namespace {

constexpr std::size_t most_terms = 100;
constexpr long most_power = 8;

// Powers of atoms, in the order of first appearance of the atoms.
using monomial = std::map<std::size_t, long>;
using polynomial = std::map<monomial, rational>;

class collector {
 public:
  // Nothing where it would be too long.
  std::optional<polynomial> expand(const expr& root) {
    std::unordered_map<expr, polynomial> known;
    for (const expr& e : topological_order(std::span(&root, 1))) {
      auto p = made(e, known);
      if (!p || p->size() > most_terms) return std::nullopt;
      known.emplace(e, std::move(*p));
    }
    return known.at(root);
  }

  // a s² + b c² = a + (b − a) c² for sine and cosine of the same argument, wherever both stand beside equal factors.
  void use_pythagoras(polynomial& p) const {
    for (std::size_t s = 0; s < atoms_.size(); ++s) {
      if (atoms_[s].op() != operation::sin) continue;
      const auto cosine = places_.find(cos(atoms_[s].operands()[0]));
      if (cosine == places_.end()) continue;
      while (replace_one(p, s, cosine->second)) {
      }
    }
  }

  // What all terms have in common stands outside, as one product; then the factor of most terms, and so on.
  expr built(const polynomial& p) const {
    if (const monomial common = common_factor(p); !common.empty()) {
      polynomial rest;
      for (const auto& [m, coefficient] : p) rest.emplace(quotient(m, common), coefficient);
      return product(common) * built(rest);
    }
    std::map<std::size_t, std::size_t> uses;
    for (const auto& [m, coefficient] : p) {
      for (const auto& [atom, power] : m) ++uses[atom];
    }
    const auto most = std::ranges::max_element(uses, {}, [](const auto& u) { return u.second; });
    if (most == uses.end() || most->second < 2) {
      expr sum;
      for (const auto& [m, coefficient] : p) sum += expr(coefficient) * product(m);
      return sum;
    }
    polynomial inside, outside;
    for (const auto& [m, coefficient] : p) {
      monomial rest = m;
      if (const auto found = rest.find(most->first); found != rest.end()) {
        if (--found->second == 0) rest.erase(found);
        inside.emplace(std::move(rest), coefficient);
      } else {
        outside.emplace(m, coefficient);
      }
    }
    const expr factored = atoms_[most->first] * built(inside);
    return outside.empty() ? factored : factored + built(outside);
  }

 private:
  std::optional<polynomial> made(const expr& e, const std::unordered_map<expr, polynomial>& known) {
    const auto at = [&](std::size_t k) -> const polynomial& { return known.at(e.operands()[k]); };
    switch (e.op()) {
      case operation::number: return e.is_zero() ? polynomial{} : polynomial{{{}, e.number()}};
      case operation::negate: return scaled(at(0), -1);
      case operation::add: return sum(at(0), at(1));
      case operation::subtract: return sum(at(0), scaled(at(1), -1));
      case operation::multiply: return product(at(0), at(1));
      case operation::power: {
        const expr& exponent = e.operands()[1];
        if (!exponent.is_number() || denominator(exponent.number()) != 1 || exponent.number() < 0 ||
            exponent.number() > most_power) {
          return atom(e);
        }
        polynomial result{{{}, rational(1)}};
        for (long k = numerator(exponent.number()).convert_to<long>(); k > 0; --k) {
          auto next = product(result, at(0));
          if (!next) return std::nullopt;
          result = std::move(*next);
        }
        return result;
      }
      default: return atom(e);
    }
  }

  polynomial atom(const expr& e) {
    const auto [place, is_new] = places_.try_emplace(e, atoms_.size());
    if (is_new) atoms_.push_back(e);
    return {{{{place->second, 1}}, rational(1)}};
  }

  static polynomial scaled(polynomial p, int factor) {
    for (auto& [m, coefficient] : p) coefficient *= factor;
    return p;
  }

  static void add_term(polynomial& to, const monomial& m, const rational& coefficient) {
    const auto [place, is_new] = to.try_emplace(m, coefficient);
    if (is_new) return;
    place->second += coefficient;
    if (place->second == 0) to.erase(place);
  }

  static polynomial sum(polynomial a, const polynomial& b) {
    for (const auto& [m, coefficient] : b) add_term(a, m, coefficient);
    return a;
  }

  static std::optional<polynomial> product(const polynomial& a, const polynomial& b) {
    if (a.size() * b.size() > most_terms) return std::nullopt;
    polynomial result;
    for (const auto& [m, x] : a) {
      for (const auto& [k, y] : b) {
        monomial both = m;
        for (const auto& [atom, power] : k) both[atom] += power;
        add_term(result, both, x * y);
      }
    }
    return result;
  }

  static monomial common_factor(const polynomial& p) {
    if (p.size() < 2) return {};
    monomial common = p.begin()->first;
    for (const auto& [m, coefficient] : p) {
      monomial both;
      for (const auto& [atom, power] : common) {
        if (const auto found = m.find(atom); found != m.end()) both.emplace(atom, std::min(power, found->second));
      }
      common = std::move(both);
    }
    return common;
  }

  static monomial quotient(monomial m, const monomial& by) {
    for (const auto& [atom, power] : by) m = changed(std::move(m), atom, -power);
    return m;
  }

  static monomial changed(monomial m, std::size_t atom, long by) {
    if ((m[atom] += by) == 0) m.erase(atom);
    return m;
  }

  // In a term with the highest power of the sine that has a partner.
  static bool replace_one(polynomial& p, std::size_t s, std::size_t c) {
    std::optional<monomial> best;
    long highest = 1;
    for (const auto& [m, a] : p) {
      const auto power = m.find(s);
      if (power == m.end() || power->second <= highest) continue;
      if (!p.contains(changed(changed(m, s, -2), c, 2))) continue;
      best = m;
      highest = power->second;
    }
    if (!best) return false;
    const monomial rest = changed(*best, s, -2);
    const rational factor = p.at(*best);
    p.erase(*best);
    add_term(p, changed(rest, c, 2), -factor);
    add_term(p, rest, factor);
    return true;
  }

  expr product(const monomial& m) const {
    expr result(1);
    for (const auto& [atom, power] : m) result *= pow(atoms_[atom], expr(static_cast<long long>(power)));
    return result;
  }

  std::vector<expr> atoms_;
  expr_map<std::size_t> places_;
};

}  // namespace

expr collected(const expr& e) {
  collector all;
  auto p = all.expand(e);
  if (!p) return e;
  all.use_pythagoras(*p);
  return all.built(*p);
}

}  // namespace actio
