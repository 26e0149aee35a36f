// Tangent maps of steps with two coordinates, beside central differences of steps taken with more digits than are
// compared.
#pragma once

#include <gtest/gtest.h>

#include "actio/simulate/integrator.hpp"

namespace actio::testing {

inline void expect_tangent_map(const integrator<quad>& flow, const phase_state<quad>& start, double tolerance) {
  const matrix<quad> tangent = flow.make_workspace()->tangent_map(start);
  ASSERT_EQ(tangent.rows(), 4U);
  const quad d("1e-11");
  for (std::size_t j = 0; j < 4; ++j) {
    phase_state<quad> above = start, below = start;
    (j < 2 ? above.position : above.momentum).value[j % 2] += d;
    (j < 2 ? below.position : below.momentum).value[j % 2] -= d;
    ASSERT_TRUE(flow.make_workspace()->advance(above));
    ASSERT_TRUE(flow.make_workspace()->advance(below));
    for (std::size_t i = 0; i < 4; ++i) {
      const quad high = (i < 2 ? above.position : above.momentum)[i % 2];
      const quad low = (i < 2 ? below.position : below.momentum)[i % 2];
      EXPECT_NEAR(to_double(tangent(i, j)), to_double(quad((high - low) / (2 * d))), tolerance) << i << " " << j;
    }
  }
}

}  // namespace actio::testing
