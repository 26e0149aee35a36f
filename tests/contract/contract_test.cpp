// Every method of the catalogue passes one list of identities; a new method is tested by being listed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "actio/analysis/verification.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

class contract : public ::testing::TestWithParam<std::string> {};

TEST_P(contract, measures_what_it_declares) {
  const auto rows = verify({find_method(GetParam())}, {.threads = 1});
  EXPECT_GE(rows.size(), 10u);
  std::set<std::string> systems, properties;
  for (const verification_row& row : rows) {
    systems.insert(row.system);
    properties.insert(row.property);
  }
  EXPECT_TRUE(properties.contains("tangent"));
  const method& m = *find_method(GetParam());
  EXPECT_EQ(properties.contains("work"), !m.traits.conserves_energy && m.needs != "a linear system");
  EXPECT_GE(systems.size(), 2u);
  for (const verification_row& row : rows) {
    EXPECT_TRUE(row.passed) << row.property << " on " << row.system << " (" << row.precision << "): declared "
                            << row.declared << ", measured " << row.measured << ", must be " << row.criterion;
  }
}

TEST(contract, simpson_holds_constraints_at_50_digits) {
  ACTIO_NEEDS(mpfr);
  const auto rows = verify({find_method("simpson")}, {.threads = 1, .digits = 50});
  std::size_t seen = 0;
  for (const verification_row& row : rows) {
    if (row.precision != "50 digits") continue;
    ++seen;
    EXPECT_TRUE(row.passed) << row.property << " on " << row.system << ": measured " << row.measured;
  }
  EXPECT_GE(seen, 10u);
}

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const method& m : method_catalogue()) names.push_back(m.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(catalogue, contract, ::testing::ValuesIn(all_methods()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace actio
