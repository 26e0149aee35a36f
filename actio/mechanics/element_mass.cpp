#include "actio/mechanics/element_mass.hpp"

#include <algorithm>
#include <map>

#include "actio/expr/derivative.hpp"
#include "actio/mechanics/recursive_jet.hpp"

namespace actio {

namespace {

// What is the same for all scalars.
struct mass_requests {
  std::vector<element_request> momentum, mass;
  std::vector<std::uint32_t> rows, columns;
  bool constant = true, diagonal = true, has_offset = false, offset_constant = true;

  explicit mass_requests(const system_code& code) {
    std::vector<std::uint64_t> keys;
    struct entry {
      std::size_t request, number;
      const std::vector<std::uint32_t>*rows, *columns;
    };
    std::vector<entry> entries;
    const auto key = [](std::uint64_t i, std::uint64_t j) { return std::min(i, j) << 32 | std::max(i, j); };
    for (const element_family& family : families_of(code).lagrangian) {
      const std::vector<expr> P = gradient(family.body, family.velocities);
      element_request first{&family, {}}, second{&family, {}};
      expr_map<expr> rest;
      for (const expr& v : family.velocities) rest.emplace(v, expr(0));
      for (std::uint32_t a = 0; a < family.slots(); ++a) {
        first.outputs.push_back({P[a], 0, element_place::slot, a});
        const expr offset = substitute(P[a], rest);
        has_offset = has_offset || !offset.is_zero();
        offset_constant = offset_constant && !varies(offset, family);
        const std::vector<expr> row = gradient(P[a], family.velocities);
        for (std::uint32_t b = a; b < family.slots(); ++b) {
          if (row[b].is_zero()) continue;
          constant = constant && !varies(row[b], family);
          diagonal = diagonal && a == b;
          const auto number = static_cast<std::uint32_t>(second.listed.size());
          second.listed.emplace_back();
          second.outputs.push_back({row[b], 0, element_place::listed, number});
          entries.push_back({mass.size(), number, &family.coordinates[a], &family.coordinates[b]});
          for (std::size_t e = 0; e < family.elements; ++e) {
            keys.push_back(key(family.coordinates[a][e], family.coordinates[b][e]));
          }
        }
      }
      momentum.push_back(std::move(first));
      mass.push_back(std::move(second));
    }
    for (std::uint64_t i = 0; i < code.system().size(); ++i) keys.push_back(key(i, i));
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::uint64_t k : keys) {
      rows.push_back(static_cast<std::uint32_t>(k >> 32));
      columns.push_back(static_cast<std::uint32_t>(k));
    }
    for (const entry& of : entries) {
      std::vector<std::uint32_t>& listed = mass[of.request].listed[of.number];
      for (std::size_t e = 0; e < of.rows->size(); ++e) {
        const auto place = std::ranges::lower_bound(keys, key((*of.rows)[e], (*of.columns)[e]));
        listed.push_back(static_cast<std::uint32_t>(place - keys.begin()));
      }
    }
  }

 private:
  static bool varies(const expr& e, const element_family& family) {
    const std::vector<expr> symbols = symbols_in(std::span(&e, 1));
    return std::ranges::any_of(symbols, [&](const expr& s) {
      return s == time_symbol() || std::ranges::find(family.positions, s) != family.positions.end();
    });
  }
};

template <class S>
struct mass_code {
  std::shared_ptr<const element_code<S>> momentum, mass;
};

}  // namespace

template <class S>
element_mass<S>::element_mass(const system_code& code, shared_parameters<S> parameters)
    : n_(code.system().size()), parameters_(std::move(parameters)) {
  if (code.system().recursions) {
    constant_ = diagonal_ = offset_constant_ = false;
    has_offset_ = true;
    recursive_ = std::make_unique<recursive_jet<S>>(code, 1, parameters_);
    in_.assign(2 * n_ + 1, S(0));
    out_ = in_;
    return;
  }
  const auto requests = code.piece<mass_requests>("", [&] { return mass_requests(code); });
  constant_ = requests->constant;
  diagonal_ = requests->diagonal;
  has_offset_ = requests->has_offset;
  offset_constant_ = requests->offset_constant;
  rows_ = requests->rows;
  columns_ = requests->columns;
  const auto compiled = code.piece<mass_code<S>>(digits_of_constants<S>(), [&] {
    return mass_code<S>{compile_elements<S>(requests->momentum, code.system()),
                        compile_elements<S>(requests->mass, code.system())};
  });
  momentum_code_ = compiled->momentum;
  mass_code_ = compiled->mass;
}

template <class S>
element_mass<S>::~element_mass() = default;
template <class S>
element_mass<S>::element_mass(element_mass&&) noexcept = default;

template <class S>
void element_mass<S>::load(const S& t, std::span<const S> q, std::span<const S> v) {
  std::ranges::copy(q, in_.begin());
  std::ranges::copy(v, in_.begin() + static_cast<std::ptrdiff_t>(n_));
  in_.back() = t;
}

// M = T_vᵀ (∂²ℓ/∂(v, x')²) T_v, where x' = A (v, x').
template <class S>
bool element_mass<S>::factorise_recursive(const S& t, std::span<const S> q) {
  const recursive_jet_code<S>& code = recursive_->code();
  if (!recursive_equations_) {
    const auto one = matrix<S>::identity(1);
    recursive_equations_.emplace(code.mass_layout(), typename recursive_equations<S>::basis{one, one, one, one}, false);
  }
  rest_.resize(n_, S(0));
  load(t, q, rest_);
  recursive_->mass(in_.data());
  recursive_equations<S>& M = *recursive_equations_;
  const S weight(1);
  M.set(recursive_->form(), std::span(&weight, 1), recursive_->slopes(), nullptr);
  return M.factorise();
}

template <class S>
bool element_mass<S>::momentum(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p) {
  if (recursive_) {
    load(t, q, v);
    recursive_->first(in_.data(), out_.data());
    std::copy_n(out_.begin() + static_cast<std::ptrdiff_t>(n_), n_, p.begin());
    return std::ranges::all_of(p, [](const S& x) { return is_finite(x); });
  }
  if (!momentum_) momentum_.emplace(momentum_code_, 1, parameters_);
  std::ranges::fill(p, S(0));
  S* const arrays[] = {p.data()};
  momentum_->add({q.data(), v.data(), &t, arrays});
  return std::ranges::all_of(p, [](const S& x) { return is_finite(x); });
}

template <class S>
void element_mass<S>::evaluate_entries(const S& t, std::span<const S> q) {
  if (!mass_) mass_.emplace(mass_code_, 1, parameters_);
  entries_.assign(rows_.size(), S(0));
  rest_.resize(n_, S(0));
  S* const arrays[] = {entries_.data()};
  mass_->add({q.data(), rest_.data(), &t, arrays});
}

template <class S>
bool element_mass<S>::factorise(const S& t, std::span<const S> q) {
  if (constant_ && known_ == parameters_.revision()) return true;
  known_.reset();
  if (recursive_) return factorise_recursive(t, q);
  evaluate_entries(t, q);
  if (diagonal_) {
    inverse_.resize(n_, S(0));
    for (std::size_t i = 0; i < n_; ++i) {
      if (entries_[i] == S(0) || !is_finite(entries_[i])) return false;
      inverse_[i] = S(1) / entries_[i];
    }
    if (constant_) {  // nobody asks for them again
      entries_ = {};
      mass_.reset();
      rest_ = {};
    }
  } else {
    if (!equations_) {
      sparse_pattern pattern;
      pattern.size = n_;
      for (std::uint32_t i = 0; i < n_; ++i) pattern.order.group.push_back(i);
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        pattern.add(rows_[k], columns_[k]);
        if (rows_[k] != columns_[k]) pattern.add(columns_[k], rows_[k]);
      }
      equations_.emplace(std::move(pattern));
    }
    std::size_t at = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      equations_->entries()[at++] = entries_[k];
      if (rows_[k] != columns_[k]) equations_->entries()[at++] = entries_[k];
    }
    if (!equations_->factorise()) return false;
  }
  known_ = parameters_.revision();
  return true;
}

template <class S>
void element_mass<S>::solve_in_place(std::span<S> x) const {
  if (recursive_) return recursive_equations_->solve_in_place(x);
  if (!diagonal_) return equations_->solve_in_place(x);
  for (std::size_t i = 0; i < n_; ++i) x[i] *= inverse_[i];
}

template <class S>
S element_mass<S>::pivot_ratio() const {
  using std::abs;
  if (recursive_) return recursive_equations_->pivot_ratio();
  if (!diagonal_) return equations_->smallest_pivot();
  S least = abs(inverse_.front()), most = least;
  for (const S& x : inverse_) {
    least = std::min<S>(least, abs(x));
    most = std::max<S>(most, abs(x));
  }
  return least / most;
}

template <class S>
bool element_mass<S>::velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) {
  if (!factorise(t, q)) return false;
  if (has_offset_) {
    rest_.resize(n_, S(0));
    momentum(t, q, rest_, v);
    for (std::size_t i = 0; i < n_; ++i) v[i] = p[i] - v[i];
  } else {
    std::ranges::copy(p, v.begin());
  }
  solve_in_place(v);
  return std::ranges::all_of(v, [](const S& x) { return is_finite(x); });
}

#define ACTIO_INSTANTIATE(S) template class element_mass<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
