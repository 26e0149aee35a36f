// Parts that a build may be without, and how tests ask for them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "actio/backend/backend.hpp"
#include "actio/base/scalar.hpp"
#include "actio/io/row_sink.hpp"

namespace actio::testing {

struct build_part {
  const char* name;
  bool is_there;
};

inline build_part part_mpfr() { return {"MPFR", has_mpfr}; }
inline build_part part_hdf5() { return {"HDF5", std::ranges::find(sink_endings(), ".h5") != sink_endings().end()}; }
inline build_part part_machine_code() { return {"machine code", machine_code_is_available()}; }

}  // namespace actio::testing

// Skips a test, or those of a fixture, where the build has no such part: mpfr, hdf5 or machine_code.
#define ACTIO_NEEDS(part)                        \
  if (!::actio::testing::part_##part().is_there) \
  GTEST_SKIP() << "this build or this processor has no " << ::actio::testing::part_##part().name

// Skips a test of what is said where the part is missing.
#define ACTIO_NEEDS_NO(part)                    \
  if (::actio::testing::part_##part().is_there) \
  GTEST_SKIP() << "this build has " << ::actio::testing::part_##part().name
