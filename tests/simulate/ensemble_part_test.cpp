// Parts of ensembles: every trajectory is in one of them.
#include "actio/simulate/ensemble_part.hpp"

#include <gtest/gtest.h>

#include "actio/api/rank_group.hpp"

namespace actio {
namespace {

TEST(ensemble_part, parts_are_the_whole) {
  for (const std::size_t trajectories : {1U, 2U, 7U, 100U, 1000000000U}) {
    for (const std::size_t parts : {1U, 2U, 3U, 8U, 101U}) {
      std::size_t at = 0, longest = 0, shortest = trajectories;
      for (std::size_t k = 1; k <= parts; ++k) {
        const trajectory_range range = range_of({k, parts}, trajectories);
        EXPECT_EQ(range.first, at);
        at = range.end;
        longest = std::max(longest, range.size());
        shortest = std::min(shortest, range.size());
      }
      EXPECT_EQ(at, trajectories);
      EXPECT_LE(longest - shortest, 1U);
    }
  }
}

TEST(ensemble_part, what_is_missing_is_named) {
  using ranges = std::vector<trajectory_range>;
  EXPECT_EQ(missing_from({0, 10}, {}), (ranges{{0, 10}}));
  EXPECT_EQ(missing_from({0, 10}, {{5, 7}, {0, 2}, {1, 3}}), (ranges{{3, 5}, {7, 10}}));
  EXPECT_EQ(missing_from({4, 10}, {{0, 5}, {5, 20}}), ranges());
  EXPECT_EQ(to_text(ranges{{3, 5}, {7, 8}}), "3 to 4, 7");
  ranges held;
  for (const std::size_t k : {2U, 3U, 7U, 8U, 9U}) append_to(held, k);
  EXPECT_EQ(held, (ranges{{2, 4}, {7, 10}}));
  EXPECT_EQ(size_of(held), 5U);
}

// Ranges that are handed out are all that there is, in order, and end short.
TEST(range_queue, hands_out_everything_once) {
  for (const std::size_t ranks : {1U, 2U, 16U}) {
    range_queue queue({{0, 1000}, {1500, 1501}, {2000, 5000}}, ranks);
    std::vector<trajectory_range> given;
    while (const auto range = queue.next()) given.push_back(*range);
    EXPECT_EQ(size_of(given), 4001U);
    for (std::size_t k = 1; k < given.size(); ++k) EXPECT_LE(given[k - 1].end, given[k].first);
    EXPECT_GT(given.front().size(), given.back().size());
    EXPECT_FALSE(queue.next());
  }
}

}  // namespace
}  // namespace actio
