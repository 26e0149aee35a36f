// What steps remember, written and read by one function.
#include "actio/integrate/step_memory.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

struct remembered {
  std::size_t count = 0;
  bool is_known = false;
  double length = 0;
  std::vector<double> rates = std::vector<double>(2);

  void remember(step_memory<double>& memory) {
    memory.count(count, 5);
    memory.flag(is_known);
    memory.number(length);
    memory.numbers(rates);
  }
};

std::vector<double> written(remembered what) {
  step_memory<double> memory;
  what.remember(memory);
  return memory.written();
}

TEST(step_memory, reads_what_it_wrote) {
  const std::vector<double> saved = written({3, true, 0.25, {1.5, -2}});
  EXPECT_EQ(saved, (std::vector<double>{3, 1, 0.25, 1.5, -2}));
  remembered there;
  step_memory<double> memory{std::span<const double>(saved)};
  there.remember(memory);
  EXPECT_TRUE(memory.is_at_end());
  EXPECT_EQ(there.count, 3U);
  EXPECT_TRUE(there.is_known);
  EXPECT_EQ(there.length, 0.25);
  EXPECT_EQ(there.rates, (std::vector<double>{1.5, -2}));
}

TEST(step_memory, refuses_what_cannot_be_its_own) {
  const std::vector<double> saved = written({3, true, 0.25, {1.5, -2}});
  for (const auto& [place, value] : {std::pair{0, 6.0}, {0, -1.0}, {0, 1.5}, {0, std::nan("")}, {1, 2.0}}) {
    std::vector<double> wrong = saved;
    wrong[static_cast<std::size_t>(place)] = value;
    step_memory<double> memory{std::span<const double>(wrong)};
    EXPECT_THROW(remembered().remember(memory), snapshot_error) << place << " " << value;
  }
  for (std::size_t size = 0; size < saved.size(); ++size) {
    step_memory<double> memory{std::span(saved).first(size)};
    EXPECT_THROW(remembered().remember(memory), snapshot_error) << size;
  }
}

}  // namespace
}  // namespace actio
