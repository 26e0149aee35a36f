#include "actio/tableaux/splitting_tableau.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

const std::vector<splitting_scheme> schemes = {
    {composition_kind::triple_jump, 2},
    {composition_kind::triple_jump, 4},
    {composition_kind::triple_jump, 6},
    {composition_kind::fivefold, 4},
    {composition_kind::fivefold, 6},
    {composition_kind::symmetric, 6, {0.7845, 0.2356, -1.1777, 1.3152}},
    {composition_kind::symmetric, 8, {0.74167, -0.40910, 0.19075, -0.57386, 0.29906, 0.33462, 0.31529, -0.79689}},
};

template <class S>
class splitting : public ::testing::Test {
 protected:
  precision_scope scope_{60};
};
using scalars = ::testing::Types<double, quad, multi>;
TYPED_TEST_SUITE(splitting, scalars);

// To the last of the wide digits, and not one order more.
TYPED_TEST(splitting, weights_meet_the_conditions_of_their_order_and_no_others) {
  const wide_scope<TypeParam> wide;
  const long noise = 40 - static_cast<long>(wide_real::bits());
  for (const splitting_scheme& scheme : schemes) {
    const std::vector<wide_real> weights = composition_weights(scheme);
    for (const wide_real& defect : order_defects(weights, scheme.order)) EXPECT_TRUE(defect.below_power_of_two(noise));
    double worst = 0;
    for (const wide_real& defect : order_defects(weights, scheme.order + 2)) {
      worst = std::max(worst, std::abs(rounded<double>(defect)));
    }
    EXPECT_GT(worst, 1e-5) << scheme.order;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_TRUE((weights[i] - weights[weights.size() - 1 - i]).below_power_of_two(noise));
    }
  }
}

// Lyndon words of odd weight in odd letters: 1, 1, 2, 4 of weight 1, 3, 5, 7, as many as free Lie algebra has terms.
TEST(splitting_conditions, are_as_many_as_there_are_independent_terms) {
  const std::vector<wide_real> weights{1};
  EXPECT_EQ(order_defects(weights, 2).size(), 1u);
  EXPECT_EQ(order_defects(weights, 4).size(), 2u);
  EXPECT_EQ(order_defects(weights, 6).size(), 4u);
  EXPECT_EQ(order_defects(weights, 8).size(), 8u);
}

// Head and tail together are the lengths to twice the digits: kicks and drifts each add up to the step.
TYPED_TEST(splitting, lengths_add_up_to_the_step) {
  using S = TypeParam;
  const S step = S(1) / S(10);
  const wide_scope<S> wide;
  for (const splitting_scheme& scheme : schemes) {
    const splitting_tableau<S> t = make_splitting<S>(scheme, step);
    ASSERT_EQ(t.kick.head.size(), t.drift.head.size() + 1);
    EXPECT_EQ(t.time.front(), S(0));
    EXPECT_EQ(t.time.back(), step);
    for (const split_sequence<S>* sequence : {&t.kick, &t.drift}) {
      wide_real sum(0);
      for (const S& head : sequence->head) sum += widened<S>(head);
      for (const S& tail : sequence->tail) sum += widened<S>(tail);
      const double off = std::abs(rounded<double>((sum - widened<S>(step)) / widened<S>(step)));
      EXPECT_LT(off, 100 * std::pow(to_double(epsilon<S>()), 2)) << scheme.order;
    }
  }
}

TEST(splitting_lengths, of_the_triple_jump_are_those_of_its_closed_form) {
  const splitting_tableau<double> t = make_splitting<double>({composition_kind::triple_jump, 4}, 1.0);
  const double z = 1 / (2 - std::cbrt(2.0));
  ASSERT_EQ(t.drift.head.size(), 3u);
  EXPECT_NEAR(t.drift.head[0], z, 1e-15);
  EXPECT_NEAR(t.drift.head[1], 1 - 2 * z, 1e-15);
  EXPECT_NEAR(t.kick.head[1], (1 - z) / 2, 1e-15);
  EXPECT_NEAR(t.time[2], 1 - z, 1e-15);
}

}  // namespace
}  // namespace actio
