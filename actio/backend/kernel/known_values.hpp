// Where a text of a dataflow has its reciprocals, sines and cosines from: computed, or had from those at a place
// nearby.
//
// A source has reciprocal(a), quotient(a, b) and sines(call). Each argument looks at nothing but itself: which of them
// share a vector depends on the machine, and bits must not.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "actio/backend/elementary/sine.hpp"
#include "actio/backend/kernel/flow_text.hpp"

namespace actio::kernel {

template <class N>
struct known_sines {
  N argument, sine, cosine;
};

template <class N>
struct plain_quotients {
  N reciprocal(const N& a) { return N(1.0) / a; }
  N quotient(const N& a, const N& b) { return a / b; }
};

// Beyond, sines are called: their code is long, and registers take LLVM more than their share.
inline constexpr std::size_t most_sines_inlined = 16;
enum class sine_code { inlined, called, rough };  // rough: to nine digits
inline sine_code exact_sines(const dataflow& flow, std::size_t together) {
  return count_sines(flow, together).vectors <= most_sines_inlined ? sine_code::inlined : sine_code::called;
}

template <class B>
class computed_values : public plain_quotients<typename B::number> {
 public:
  using N = typename B::number;
  using T = typename B::truth;

  // Arguments that are too large for usual code are rare: they have theirs, or too_large() says that there are some.
  computed_values(B& b, sine_code how, bool any_argument)
      : b_(b), how_(how), any_argument_(any_argument), too_large_(b.nowhere()) {}

  sines_of<N> sines(const sine_call<N>& call) {
    const N& x = call.all;
    const auto [sine, cosine, too_large] = usual(x);
    std::array<N, 2> both{sine, cosine};
    if (any_argument_) {
      both = rarely(too_large, both, [&] {
        const auto large = b_.large_sines(x);
        return std::array<N, 2>{large.sine, large.cosine};
      });
    } else {
      too_large_ = too_large_ | b_.anywhere(too_large);
    }
    found_.push_back({x, both[0], both[1]});
    return {both[0], both[1]};
  }

  const T& too_large() const { return too_large_; }
  const std::vector<known_sines<N>>& found() const { return found_; }

 private:
  struct usual_sines {
    N sine, cosine;
    T too_large;
  };
  usual_sines usual(const N& x) {
    if (how_ == sine_code::called) {
      const auto [sine, cosine, too_large] = b_.called_sines(x);
      return {sine, cosine, too_large};
    }
    const auto both =
        how_ == sine_code::rough ? elementary::rough_sine_and_cosine(x) : elementary::usual_sine_and_cosine(x);
    return {both.sine, both.cosine, elementary::too_large_for_sine(x)};
  }

  B& b_;
  sine_code how_;
  bool any_argument_;
  T too_large_;
  std::vector<known_sines<N>> found_;
};

// Taylor series around the places of sines that are known; is_near() says whether all arguments were within 2⁻¹⁰ of
// them, where the next terms are below 2⁻⁵⁶.
template <class B>
class series_of_sines {
 public:
  using N = typename B::number;
  using T = typename B::truth;

  series_of_sines(B& b, const std::vector<known_sines<N>>& at) : b_(b) {
    for (const auto& [x, s, c] : at) {
      series_.push_back({x,
                         {s, c, s * (-1.0 / 2), c * (-1.0 / 6), s * (1.0 / 24)},
                         {c, -s, c * (-1.0 / 2), s * (1.0 / 6), c * (1.0 / 24)}});
    }
  }

  // The source where variables have moved so far.
  class moved_values : public plain_quotients<N> {
   public:
    moved_values(B& b, const series_of_sines& from, const std::vector<N>& moves) : b_(b), from_(from), moves_(moves) {}

    sines_of<N> sines(const sine_call<N>& call) {
      const auto& from = from_.series_[at_++];
      const N d = moved(call, from.argument), dd = d * d;
      const N sine = sum(from.sine, d, dd), cosine = sum(from.cosine, d, dd);
      const T far = !(absolute(d) <= 0x1p-10);
      const auto [known, is_first] = far_.try_emplace(b_.width(d), far);
      if (!is_first) known->second = known->second | far;
      return {sine, cosine};
    }
    T is_near() {
      T far = b_.nowhere();
      for (const auto& [width, lanes] : far_) far = far | b_.anywhere(lanes);
      return !far;
    }

   private:
    // What a variable was moved by is known better than the difference.
    N moved(const sine_call<N>& call, const N& place) {
      const auto others = std::ranges::count(call.variables, nowhere);
      const N difference = others > 0 ? call.all - place : place;
      if (static_cast<std::size_t>(others) == call.variables.size()) return difference;
      std::vector<N> moves;
      for (std::size_t k = 0; k < call.variables.size(); ++k) {
        const auto v = call.variables[k];
        moves.push_back(v == nowhere ? b_.part(difference, k) : moves_[v]);
      }
      return b_.joined(moves);
    }
    // By pairs, so that the sum is known soon after d; one rounding at the end.
    static N sum(const std::array<N, 5>& c, const N& d, const N& dd) {
      const N low = fma(d, c[2], c[1]), high = fma(d, c[4], c[3]);
      return fma(d, fma(dd, high, low), c[0]);
    }

    B& b_;
    const series_of_sines& from_;
    const std::vector<N>& moves_;
    std::size_t at_ = 0;
    std::map<std::size_t, T> far_;  // by the width of vectors
  };

 private:
  struct one {
    N argument;
    std::array<N, 5> sine, cosine;  // coefficients
  };
  B& b_;
  std::vector<one> series_;
};

// sin and cos of argument + d for |d| up to 2⁻¹⁰, by their series, whose next terms are below 2⁻⁵⁶; and whether d is
// larger.
template <class N>
auto turned_a_little(const known_sines<N>& from, const N& x) {
  struct turned {
    N sine, cosine;
    elementary::truth_of<N> is_far;
  };
  const N d = x - from.argument, dd = d * d;
  const N sine = fma(d * dd, N(-1.0 / 6), d), versed = dd * fma(dd, N(-1.0 / 24), N(0.5));  // 1 − cos d
  const N change = fma(from.cosine, sine, -(from.sine * versed)), loss = fma(from.sine, sine, from.cosine * versed);
  return turned{from.sine + change, from.cosine - loss, !(absolute(d) <= 0x1p-10)};
}

// Sines with their arguments in memory: a lane whose argument is near the one kept there turns what is kept, another
// one computes and keeps. An argument of kept_nothing says that nothing is known.
inline constexpr double kept_nothing = 1e300;
inline std::size_t numbers_to_keep(const dataflow& flow, std::size_t together, std::size_t lanes) {
  return 3 * lanes * count_sines(flow, together).rows;
}

template <class B>
class sines_in_memory : public plain_quotients<typename B::number> {
 public:
  using N = typename B::number;

  sines_in_memory(B& b, typename B::rows memory) : b_(b), memory_(memory) {}

  sines_of<N> sines(const sine_call<N>& call) {
    const N& x = call.all;
    std::size_t places[3];
    for (std::size_t& place : places) {
      place = at_;
      at_ += b_.width(x);
    }
    const N argument = b_.read(memory_, places[0], x), s = b_.read(memory_, places[1], x),
            c = b_.read(memory_, places[2], x);
    const auto near = turned_a_little<N>({argument, s, c}, x);
    const auto both = rarely(near.is_far, std::array<N, 2>{near.sine, near.cosine}, [&] {
      computed_values<B> computed(b_, sine_code::called, true);
      const auto [sine, cosine] = computed.sines(call);
      b_.write(memory_, places[0], select(near.is_far, x, argument));
      b_.write(memory_, places[1], select(near.is_far, sine, s));
      b_.write(memory_, places[2], select(near.is_far, cosine, c));
      return std::array<N, 2>{sine, cosine};
    });
    return {both[0], both[1]};
  }

 private:
  B& b_;
  typename B::rows memory_;
  std::size_t at_ = 0;
};

// Rows in which an evaluation keeps its reciprocals and sines for others.
inline std::size_t rows_to_keep(const dataflow& flow) {
  std::size_t rows = 3 * count_sines(flow, 1).rows;
  for (const auto& v : flow.values) {
    const bool divides = v.kind == value_kind::operation && v.op == operation::divide;
    rows += divides || v.kind == value_kind::reciprocal ? 1 : 0;
  }
  return rows;
}

template <class N>
N quotient_by(const N& a, const N& b, const N& reciprocal) {
  const N q = a * reciprocal;
  return fma(fma(-b, q, a), reciprocal, q);
}

// Computed, and kept in every `distance`-th row.
template <class B>
class kept_values {
 public:
  using N = typename B::number;

  kept_values(B& b, typename B::rows rows, std::size_t distance)
      : computed_(b, sine_code::inlined, true), rows_(rows), distance_(distance) {}

  N reciprocal(const N& a) {
    const N r = N(1.0) / a;
    keep(r);
    return r;
  }
  N quotient(const N& a, const N& b) { return quotient_by(a, b, reciprocal(b)); }
  sines_of<N> sines(const sine_call<N>& call) {
    const sines_of<N> both = computed_.sines(call);
    for (const N& x : {call.all, both.sine, both.cosine}) keep(x);
    return both;
  }

 private:
  void keep(const N& x) { rows_.put(distance_ * at_++, x); }

  computed_values<B> computed_;
  typename B::rows rows_;
  std::size_t distance_, at_ = 0;
};

// Had from those kept, corrected. With r a reciprocal kept and e = 1 − a r, 1/a = r (1 + e + e²)(1 + f + f²) where f =
// e³ is what the first correction leaves: six products instead of a division. Sines are turned by the series of sin d
// and cos d. Lanes that have moved too far for that join `strayed`.
template <class B>
class corrected_values {
 public:
  using N = typename B::number;
  using T = typename B::truth;

  corrected_values(typename B::rows rows, std::size_t distance, T& strayed)
      : rows_(rows), distance_(distance), strayed_(strayed) {}

  // Terms of the next order are below 2⁻⁵⁴.
  N reciprocal(const N& a) {
    const N r = kept(), e = fma(-a, r, N(1.0)), better = fma(r, fma(e, e, e), r);
    const N f = fma(-a, better, N(1.0)), best = fma(better, fma(f, f, f), better);
    strayed_ = strayed_ | !(absolute(e) <= 0x1p-6);
    return best;
  }
  N quotient(const N& a, const N& b) { return quotient_by(a, b, reciprocal(b)); }
  // Terms of the next order are below 2⁻⁵⁷.
  sines_of<N> sines(const sine_call<N>& call) {
    const N d = call.all - kept(), s = kept(), c = kept(), dd = d * d;
    const N sine = fma(d * dd, fma(dd, N(1.0 / 120), N(-1.0 / 6)), d);
    const N less = dd * fma(dd, fma(dd, N(-1.0 / 720), N(1.0 / 24)), N(-0.5));  // cos d − 1
    strayed_ = strayed_ | !(absolute(d) <= 0x1p-7);
    return {s + fma(c, sine, s * less), c + fma(-s, sine, c * less)};
  }

 private:
  N kept() { return rows_[distance_ * at_++]; }

  typename B::rows rows_;
  std::size_t distance_, at_ = 0;
  T& strayed_;
};

}  // namespace actio::kernel
