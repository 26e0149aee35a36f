#include "actio/backend/kernel/node_numbers.hpp"

namespace actio::kernel {

namespace {

template <std::size_t W>
ACTIO_ALWAYS_INLINE void carry_out_here(const node_sum<W>& s) {
  using row_here = number_row<W, false>;
  const auto column = [&](std::size_t j) { return row_here{row<W>(s.columns + j * W)}; };
  const auto node = [&](std::size_t j) { return row_here{lanes<W>{} + s.K[j]}; };
  const row_here first{s.first ? *s.first : lanes<W>{}};
  if (!s.remainders) {
    *s.sum = chained_sum(s.points, s.first ? &first : nullptr, column, node).x;
    return;
  }
  const auto remainder = [&](std::size_t j) { return row_here{row<W>(s.remainders + j * W)}; };
  const auto [sum, rest] = accurate_sum(s.points, first, column, remainder, node);
  *s.sum = sum.x;
  *s.rest = rest.x;
}

template <std::size_t W>
ACTIO_ALWAYS_INLINE void fuse_here(const lanes<W>& a, const lanes<W>& b, lanes<W>& c) {
  c = fma(number_row<W, false>{a}, number_row<W, false>{b}, number_row<W, false>{c}).x;
}

}  // namespace

ACTIO_FUSED_CLONES void carry_out(const node_sum<4>& s) { carry_out_here(s); }
ACTIO_FUSED_CLONES void carry_out(const node_sum<8>& s) { carry_out_here(s); }
ACTIO_FUSED_CLONES void carry_out(const node_sum<16>& s) { carry_out_here(s); }
ACTIO_FUSED_CLONES void fuse(const lanes<4>& a, const lanes<4>& b, lanes<4>& c) { fuse_here<4>(a, b, c); }
ACTIO_FUSED_CLONES void fuse(const lanes<8>& a, const lanes<8>& b, lanes<8>& c) { fuse_here<8>(a, b, c); }
ACTIO_FUSED_CLONES void fuse(const lanes<16>& a, const lanes<16>& b, lanes<16>& c) { fuse_here<16>(a, b, c); }

}  // namespace actio::kernel
