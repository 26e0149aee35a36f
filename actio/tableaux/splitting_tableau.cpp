#include "actio/tableaux/splitting_tableau.hpp"

#include <algorithm>
#include <span>

#include "actio/base/error.hpp"

namespace actio {

namespace {

using word = std::vector<int>;  // odd letters k for Y_k; its weight is their sum
using wides = std::vector<wide_real>;

bool is_lyndon(const word& w) {
  for (std::size_t i = 1; i < w.size(); ++i) {
    if (!std::ranges::lexicographical_compare(w, std::span(w).subspan(i))) return false;
  }
  return !w.empty();
}

void append_lyndon_words(word prefix, int weight, std::vector<word>& words) {
  if (weight == 0 && is_lyndon(prefix)) words.push_back(prefix);
  for (int letter = 1; letter <= weight; letter += 2) {
    prefix.push_back(letter);
    append_lyndon_words(prefix, weight - letter, words);
    prefix.pop_back();
  }
}

std::vector<word> conditions_of(int order) {
  std::vector<word> words;
  for (int weight = 1; weight < order; weight += 2) append_lyndon_words({}, weight, words);
  return words;
}

// The coefficient of w in Π_i exp(Σ_k γ_i^k Y_k). One factor contributes γ^weight/m! to m letters in a row.
wide_real coefficient(const word& w, const wides& weights) {
  wides prefix(w.size() + 1, wide_real(0));  // of the first j letters
  prefix[0] = 1;
  for (const wide_real& gamma : weights) {
    for (std::size_t j = w.size(); j > 0; --j) {
      wide_real term(1);
      for (std::size_t i = j; i-- > 0;) {
        for (int k = 0; k < w[i]; ++k) term *= gamma;
        term /= wide_real(static_cast<long>(j - i));
        prefix[j] += prefix[i] * term;
      }
    }
  }
  return prefix.back();
}

wides palindrome(const wides& half) {
  wides all(half);
  all.insert(all.end(), half.rbegin() + 1, half.rend());
  return all;
}

// x := A⁻¹ x by elimination with pivots.
void solve(std::vector<wides> A, wides& x) {
  const std::size_t n = x.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (smaller(A[pivot][k], A[i][k])) pivot = i;
    }
    std::swap(A[k], A[pivot]);
    std::swap(x[k], x[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const wide_real factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
}

// Newton's method. Differences over half the digits give a Jacobian with the other half: each iteration doubles the
// correct digits until half of them are, and the next one finds the rest.
wides solved_conditions(const std::vector<double>& start, int order) {
  constexpr int most_iterations = 60;
  const long bits = static_cast<long>(wide_real::bits());
  const wide_real shift = times_power_of_two(wide_real(1), -bits / 2);
  wides x;
  for (const double value : start) x.emplace_back(value);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    wides update = order_defects(palindrome(x), order);
    ACTIO_ASSERT(update.size() == x.size());
    std::vector<wides> jacobian(x.size(), wides(x.size()));
    for (std::size_t j = 0; j < x.size(); ++j) {
      wides moved(x);
      moved[j] += shift;
      const wides defects = order_defects(palindrome(moved), order);
      for (std::size_t i = 0; i < x.size(); ++i) jacobian[i][j] = (defects[i] - update[i]) / shift;
    }
    solve(std::move(jacobian), update);
    bool at_rest = true;
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j] -= update[j];
      at_rest = at_rest && update[j].below_power_of_two(-bits / 2 - 8);
    }
    if (at_rest) return palindrome(x);
  }
  ACTIO_ASSERT(false && "the starting weights of a composition must lie near a solution of its order conditions");
  return {};
}

// The last solution is kept for each thread: stability scans make thousands of tableaux with one scheme.
const wides& remembered_solution(const splitting_scheme& scheme) {
  struct solution {
    long bits = 0;
    std::vector<double> start = {};
    wides weights = {};
  };
  static thread_local solution last;
  if (last.bits != wide_real::bits() || last.start != scheme.start) {
    last = {wide_real::bits(), scheme.start, solved_conditions(scheme.start, scheme.order)};
  }
  return last.weights;
}

// (z … z, 1 − 2m z, z … z), each with m times z: the outer weights cancel the error term of weight p − 1 [yoshida1990].
wides raised(const wides& inner, int order, int m) {
  const wide_real copies(2 * m);
  const wide_real z = wide_real(1) / (copies - root(copies, static_cast<unsigned long>(order - 1)));
  wides all;
  for (int k = 0; k <= 2 * m; ++k) {
    const wide_real factor = k == m ? wide_real(1) - copies * z : z;
    for (const wide_real& gamma : inner) all.push_back(factor * gamma);
  }
  return all;
}

template <class S>
void append(split_sequence<S>& sequence, const wide_real& value) {
  sequence.head.push_back(rounded<S>(value));
  sequence.tail.push_back(rounded<S>(value - widened<S>(sequence.head.back())));
}

}  // namespace

std::vector<wide_real> order_defects(const std::vector<wide_real>& weights, int order) {
  wides defects;
  for (const word& w : conditions_of(order)) {
    defects.push_back(coefficient(w, weights));
    if (w == word{1}) defects.back() -= wide_real(1);
  }
  return defects;
}

std::vector<wide_real> composition_weights(const splitting_scheme& scheme) {
  if (scheme.kind == composition_kind::symmetric) return remembered_solution(scheme);
  wides weights{1};
  for (int order = 4; order <= scheme.order; order += 2) {
    weights = raised(weights, order, scheme.kind == composition_kind::fivefold ? 2 : 1);
  }
  return weights;
}

template <class S>
splitting_tableau<S> make_splitting(const splitting_scheme& scheme, const S& step) {
  const wide_scope<S> scope;
  const wide_real h = widened<S>(step);
  splitting_tableau<S> t;
  if (scheme.kind == composition_kind::lie_trotter) {
    append(t.kick, h);
    append(t.drift, h);
    t.time.push_back(S(0));
    return t;
  }
  if (scheme.kind == composition_kind::drift_first) {
    append(t.kick, wide_real(0));
    append(t.drift, h);
    append(t.kick, h);
    t.time = {S(0), step};
    return t;
  }
  wide_real previous(0), elapsed(0);
  for (const wide_real& gamma : composition_weights(scheme)) {
    append(t.kick, (previous + gamma) * h / 2);
    append(t.drift, gamma * h);
    t.time.push_back(rounded<S>(elapsed * h));
    elapsed += gamma;
    previous = gamma;
  }
  append(t.kick, previous * h / 2);
  t.time.push_back(step);
  return t;
}

#define ACTIO_INSTANTIATE(S) template splitting_tableau<S> make_splitting<S>(const splitting_scheme&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
