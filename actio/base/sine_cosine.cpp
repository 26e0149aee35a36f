// Numbers are fractions of N limbs, value · 2^(64 N), where N limbs hold the precision asked for and some bits more.
// |x| is reduced by multiples of π/2 and then by i/256, whose sine and cosine are tabulated; Taylor's series of what is
// left, |d| ≤ 2⁻⁹, gain 18 bits a term, so that their higher terms are computed with fewer limbs. A result that is too
// close to a rounding boundary or too small to have enough digits left, and arguments out of the ordinary, go to MPFR.
#include "actio/base/sine_cosine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace actio {

namespace {

using limb = mp_limb_t;
static_assert(GMP_NUMB_BITS == 64);

constexpr long most_limbs = 12;        // about 220 digits; beyond, MPFR's own methods are better
constexpr long guard_bits = 22;        // at least so many beyond the precision
constexpr long lost_bits = 8;          // a result is off by less than 2^lost_bits units
constexpr long largest_exponent = 20;  // of the arguments
constexpr long table_bits = 8;
static_assert(2 * (table_bits + 1) < 64);
constexpr long series_bits = 2 * (table_bits + 1);  // |d|² < 2^-series_bits
constexpr std::size_t table_size = 404;             // i/256 up to π/2, rounded

// floor(x 2^(64 limbs)) for 0 ≤ x < 1.
void set_fraction(limb* target, long limbs, mpfr_srcptr x) {
  mpz_t integer;
  mpz_init(integer);
  mpfr_t scaled;
  mpfr_init2(scaled, mpfr_get_prec(x));
  mpfr_mul_2si(scaled, x, 64 * limbs, MPFR_RNDN);
  mpfr_get_z(integer, scaled, MPFR_RNDZ);
  std::fill_n(target, limbs, limb{0});
  for (std::size_t i = 0; i < mpz_size(integer); ++i) target[i] = mpz_getlimbn(integer, static_cast<mp_size_t>(i));
  mpfr_clear(scaled);
  mpz_clear(integer);
}

// Everything that depends on the number of limbs alone.
struct sine_table {
  explicit sine_table(long limbs);

  const limb* sine(std::size_t i) const { return &sines[i * static_cast<std::size_t>(N)]; }
  const limb* cosine(std::size_t i) const { return &cosines[i * static_cast<std::size_t>(N)]; }  // i > 0
  const limb* factor(long k) const { return &factors[static_cast<std::size_t>(k * N)]; }
  // Limbs that the factor of d^(2k) needs.
  long length(long k) const { return std::max(1L, N - k * series_bits / 64); }

  long N;
  long terms;                 // of each series: the first that is below rounding
  std::vector<limb> half_pi;  // with N + 1 limbs after the point and one before
  std::vector<limb> sines, cosines;
  std::vector<limb> factors;  // 1/k! for k = 0, 1, 2, … (those below 1)
};

sine_table::sine_table(long limbs) : N(limbs) {
  const mpfr_prec_t bits = 64 * (N + 3);
  terms = 1;
  double factorial_bits = 1;
  while (static_cast<double>(terms * series_bits) + factorial_bits < static_cast<double>(64 * N)) {
    ++terms;
    factorial_bits += std::log2(static_cast<double>((2 * terms - 1) * 2 * terms));
  }
  const auto n = static_cast<std::size_t>(N);
  half_pi.resize(n + 2);
  sines.resize(table_size * n);
  cosines.resize(table_size * n);
  factors.resize(static_cast<std::size_t>(2 * terms + 2) * n);
  mpfr_t x, s, c;
  mpfr_inits2(bits, x, s, c, static_cast<mpfr_ptr>(nullptr));
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_div_2ui(x, x, 1, MPFR_RNDN);
  mpfr_sub_ui(x, x, 1, MPFR_RNDN);
  set_fraction(half_pi.data(), N + 1, x);
  half_pi.back() = 1;
  for (std::size_t i = 1; i < table_size; ++i) {
    mpfr_set_ui(x, i, MPFR_RNDN);
    mpfr_div_2ui(x, x, table_bits, MPFR_RNDN);
    mpfr_sin_cos(s, c, x, MPFR_RNDN);
    if (mpfr_sgn(c) < 0) mpfr_set_zero(c, 1);  // the last one lies beyond π/2 and is not used
    set_fraction(&sines[i * n], N, s);
    set_fraction(&cosines[i * n], N, c);
  }
  mpfr_set_ui(x, 1, MPFR_RNDN);
  for (long k = 2; k < 2 * terms + 2; ++k) {
    mpfr_div_ui(x, x, static_cast<unsigned long>(k), MPFR_RNDN);
    set_fraction(&factors[static_cast<std::size_t>(k) * n], N, x);
  }
  mpfr_clears(x, s, c, static_cast<mpfr_ptr>(nullptr));
}

const sine_table& table_for(long limbs) {
  thread_local const sine_table* last = nullptr;
  if (last != nullptr && last->N == limbs) return *last;
  static std::mutex guard;
  static std::map<long, std::unique_ptr<const sine_table>> tables;
  const std::scoped_lock lock(guard);
  auto& table = tables[limbs];
  if (!table) table = std::make_unique<const sine_table>(limbs);
  last = table.get();
  return *last;
}

// |x| = quadrant · π/2 + index/256 ± d
struct reduced_argument {
  unsigned long quadrant = 0;
  std::size_t index = 0;
  bool d_is_negative = false;
  limb d[most_limbs];
};

// False for arguments that MPFR shall see itself.
bool reduce(const sine_table& table, mpfr_srcptr x, reduced_argument& result) {
  const long N = table.N, fraction = N + 1, total = N + 2, size = (mpfr_get_prec(x) + 63) / 64;
  const long shift = mpfr_get_exp(x) + 64 * (fraction - size);
  limb r[most_limbs + 2] = {};
  const auto* m = static_cast<const limb*>(mpfr_custom_get_significand(x));
  // r = floor(|x| 2^(64 fraction))
  const long limbs_up = shift >= 0 ? shift / 64 : -((63 - shift) / 64);
  const auto bits_up = static_cast<unsigned>(shift - 64 * limbs_up);
  const long first = std::max(0L, -limbs_up);  // limbs of m below are too small to count
  if (first >= size) return false;
  const long target = limbs_up + first, count = std::min(size - first, total - target);
  if (count < size - first) return false;
  if (bits_up == 0) {
    std::copy_n(m + first, count, r + target);
  } else {
    const limb carry = mpn_lshift(r + target, m + first, count, bits_up);
    if (target + count < total) r[target + count] = carry;
    else if (carry != 0) return false;
  }

  auto q = static_cast<unsigned long>(std::abs(mpfr_get_d(x, MPFR_RNDN)) * 0.63661977236758134308);
  const limb* half_pi = table.half_pi.data();
  if (q != 0 && mpn_submul_1(r, half_pi, total, q) != 0) {  // the quotient in double was rounded up
    --q;
    mpn_add_n(r, r, half_pi, total);
  } else if (mpn_cmp(r, half_pi, total) >= 0) {
    ++q;
    mpn_sub_n(r, r, half_pi, total);
  }
  result.quadrant = q % 4;

  const limb top = r[N];  // the first 64 bits after the point
  result.d_is_negative = (top >> (63 - table_bits) & 1) != 0;
  result.index = (static_cast<std::size_t>(r[N + 1]) << table_bits | top >> (64 - table_bits)) + result.d_is_negative;
  r[N] = top << table_bits >> table_bits;
  if (result.d_is_negative) {  // 1/256 − r
    mpn_neg(r, r, fraction);
    r[N] &= ~limb{0} >> table_bits;
  }
  std::copy_n(r + 1, N, result.d);
  return true;
}

__extension__ typedef unsigned __int128 double_limb;

// The top L limbs of a product of L limbs each, without what only the partial products below could carry into them:
// less than L units of the last limb.
template <int L>
inline void short_product(limb* target, const limb* a, const limb* b) {
  limb sum[L + 1] = {};  // limbs L−1 … 2L−1 of the product
#pragma GCC unroll 8
  for (int i = 0; i < L; ++i) {
    limb carry = 0;
#pragma GCC unroll 8
    for (int j = L - 1 - i; j < L; ++j) {
      const int place = i + j - (L - 1);
      const double_limb part = static_cast<double_limb>(a[i]) * b[j] + sum[place] + carry;
      sum[place] = static_cast<limb>(part);
      carry = static_cast<limb>(part >> 64);
    }
    sum[i + 1] = carry;
  }
  for (int i = 0; i < L; ++i) target[i] = sum[i + 1];
}

// The top `count` limbs of a product of `count` limbs each, less than `count` units too small.
inline void multiply_high(limb* target, const limb* a, const limb* b, long count) {
  switch (count) {
    case 1: return short_product<1>(target, a, b);
    case 2: return short_product<2>(target, a, b);
    case 3: return short_product<3>(target, a, b);
    case 4: return short_product<4>(target, a, b);
    case 5: return short_product<5>(target, a, b);
    case 6: return short_product<6>(target, a, b);
    default: break;
  }
  limb product[2 * most_limbs];
  mpn_mul_n(product, a, b, count);
  std::copy_n(product + count, count, target);
}

// Σ_{k≥1} (−1)^(k−1) y^(k−1) / (2k)! and the same with (2k + 1)!: (1 − cos d)/d² and (1 − sin d/d)/d² with y = d². The
// two are independent: the processor works at both.
void series(const sine_table& table, const limb* y, limb* of_cosine, limb* of_sine) {
  const long N = table.N;
  long length = table.length(table.terms - 2);
  std::copy_n(table.factor(2 * table.terms - 2) + (N - length), length, of_cosine);
  std::copy_n(table.factor(2 * table.terms - 1) + (N - length), length, of_sine);
  limb even[most_limbs], odd[most_limbs];
  for (long k = table.terms - 2; k >= 1; --k) {
    const long wanted = table.length(k - 1), more = wanted - length;
    multiply_high(even + more, of_cosine, y + (N - length), length);
    multiply_high(odd + more, of_sine, y + (N - length), length);
    if (more > 0) even[0] = odd[0] = 0;
    mpn_sub_n(of_cosine, table.factor(2 * k) + (N - wanted), even, wanted);
    mpn_sub_n(of_sine, table.factor(2 * k + 1) + (N - wanted), odd, wanted);
    length = wanted;
  }
}

// Rounds ±fraction to the precision of `target`; false when it cannot be told how.
bool round_to(mpfr_ptr target, const limb* fraction, long N, bool negative) {
  long size = N;
  while (size > 0 && fraction[size - 1] == 0) --size;
  if (size < N) return false;  // small enough to leave to MPFR
  limb digits[most_limbs];
  const int zeros = std::countl_zero(fraction[N - 1]);
  if (zeros > 0) mpn_lshift(digits, fraction, N, static_cast<unsigned>(zeros));
  else std::copy_n(fraction, N, digits);
  mpfr_t exact;
  mpfr_custom_init_set(exact, negative ? -MPFR_REGULAR_KIND : MPFR_REGULAR_KIND, -zeros, 64 * N, digits);
  if (!mpfr_can_round(exact, 64 * N - lost_bits - zeros, MPFR_RNDN, MPFR_RNDZ, mpfr_get_prec(target) + 1)) return false;
  mpfr_set(target, exact, MPFR_RNDN);
  return true;
}

bool sine_and_cosine_of(mpfr_ptr sine, mpfr_ptr cosine, mpfr_srcptr x) {
  const mpfr_prec_t precision = std::max(sine ? mpfr_get_prec(sine) : 0, cosine ? mpfr_get_prec(cosine) : 0);
  const long N = (precision + guard_bits + 63) / 64;
  if (N > most_limbs || mpfr_regular_p(x) == 0 || mpfr_get_exp(x) > largest_exponent) return false;
  const sine_table& table = table_for(N);
  reduced_argument reduced;
  if (!reduce(table, x, reduced)) return false;
  const bool x_is_negative = mpfr_signbit(x) != 0;

  limb y[most_limbs], u[most_limbs], w[most_limbs], s[most_limbs], c[most_limbs];
  multiply_high(y, reduced.d, reduced.d, N);
  series(table, y, w, u);
  multiply_high(w, w, y, N);  // 1 − cos d
  multiply_high(u, u, y, N);
  multiply_high(u, u, reduced.d, N);
  mpn_sub_n(u, reduced.d, u, N);  // sin |d|
  if (reduced.index == 0) {
    std::copy_n(u, N, s);
    mpn_neg(c, w, N);
    if (mpn_zero_p(w, N)) return false;
  } else {
    // sin(a ± d) = sin a − sin a (1 − cos d) ± cos a sin d, cos(a ± d) = cos a − cos a (1 − cos d) ∓ sin a sin d
    const limb *sin_a = table.sine(reduced.index), *cos_a = table.cosine(reduced.index);
    limb part[most_limbs];
    multiply_high(part, sin_a, w, N);
    mpn_sub_n(s, sin_a, part, N);
    multiply_high(part, cos_a, w, N);
    const limb below = mpn_sub_n(c, cos_a, part, N);
    multiply_high(part, cos_a, u, N);
    const limb above = reduced.d_is_negative ? mpn_sub_n(s, s, part, N) : mpn_add_n(s, s, part, N);
    multiply_high(part, sin_a, u, N);
    const limb beyond = reduced.d_is_negative ? mpn_add_n(c, c, part, N) : mpn_sub_n(c, c, part, N);
    if (below + above + beyond != 0) return false;  // an end of the range, within rounding
  }
  const bool swapped = reduced.quadrant % 2 != 0;
  const bool sine_is_negative = (reduced.quadrant >= 2) != x_is_negative;
  const bool cosine_is_negative = reduced.quadrant == 1 || reduced.quadrant == 2;
  return (sine == nullptr || round_to(sine, swapped ? c : s, N, sine_is_negative)) &&
         (cosine == nullptr || round_to(cosine, swapped ? s : c, N, cosine_is_negative));
}

}  // namespace

void sine_and_cosine(mpfr_ptr sine, mpfr_ptr cosine, mpfr_srcptr x) {
  if (!sine_and_cosine_of(sine, cosine, x)) mpfr_sin_cos(sine, cosine, x, MPFR_RNDN);
}

void sine(mpfr_ptr result, mpfr_srcptr x) {
  if (!sine_and_cosine_of(result, nullptr, x)) mpfr_sin(result, x, MPFR_RNDN);
}

void cosine(mpfr_ptr result, mpfr_srcptr x) {
  if (!sine_and_cosine_of(nullptr, result, x)) mpfr_cos(result, x, MPFR_RNDN);
}

}  // namespace actio
