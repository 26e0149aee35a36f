#include "actio/tableaux/wide_real.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

template <class S>
class wide_real_for : public testing::Test {
 protected:
  precision_scope digits_{70};
  wide_scope<S> scope_;
};
using scalars = testing::Types<double, quad, multi>;
TYPED_TEST_SUITE(wide_real_for, scalars);

TYPED_TEST(wide_real_for, widening_is_exact) {
  using S = TypeParam;
  for (const S& value : {S(0), S(1) / S(3), S(-2e-20) / S(7), S(12345) * S(1e12) / S(13)}) {
    EXPECT_EQ(rounded<S>(widened<S>(value)), value);
  }
}

TYPED_TEST(wide_real_for, rounding_is_to_nearest) {
  using S = TypeParam;
  const wide_real unit = widened<S>(epsilon<S>());
  EXPECT_EQ(rounded<S>(wide_real(1) / wide_real(3)), S(1) / S(3));
  EXPECT_EQ(rounded<S>(wide_real(1) + unit * wide_real(0.49)), S(1));
  EXPECT_EQ(rounded<S>(wide_real(1) + unit * wide_real(0.51)), S(1) + epsilon<S>());
  EXPECT_EQ(rounded<S>(wide_real(1) + unit / wide_real(2)), S(1));
}

TYPED_TEST(wide_real_for, two_scalars_fit_into_one) {
  using S = TypeParam;
  const wide_real third = wide_real(1) / wide_real(3);
  const S head = rounded<S>(third);
  const S tail = rounded<S>(third - widened<S>(head));
  const wide_real rest = third - widened<S>(head) - widened<S>(tail);
  const wide_real unit = widened<S>(epsilon<S>());
  EXPECT_TRUE((rest / (unit * unit)).below_power_of_two(-2));
}

TEST(wide_real, the_precision_belongs_to_the_scope) {
  const auto before = wide_real::bits();
  {
    const wide_scope<quad> scope;
    EXPECT_GE(wide_real::bits(), 226);
  }
  EXPECT_EQ(wide_real::bits(), before);
}

}  // namespace
}  // namespace actio
