// Numbers with room to spare, in which quadrature rules and tableaux are computed before they are rounded to a scalar:
// the class `wide_real`, and `wide_scope<S>`, in which they carry more than twice the bits of S.
#pragma once

#ifdef ACTIO_NO_MPFR
#include "actio/tableaux/wide_real_portable.hpp"
#else
#include "actio/tableaux/wide_real_mpfr.hpp"
#endif
#include "actio/base/scalar.hpp"

namespace actio {

template <class S>
S rounded(const wide_real& value);  // to nearest
template <class S>
wide_real widened(const S& value);  // exact

}  // namespace actio
