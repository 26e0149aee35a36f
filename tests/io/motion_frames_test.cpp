#include "actio/io/motion_frames.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/systems.hpp"

namespace actio {
namespace {

// A point that runs along a circle and one that stands still.
model circle() {
  return testing::read(
      "coordinates = [\"q\"]\nlagrangian = \"q'^2/2\"\n[parameters]\nr = 2\n[initial]\nposition = {q = 0}\n"
      "velocity = {q = 1}\n[view]\ntraces = [\"runner\"]\n[view.points]\ncentre = [0, 0]\n"
      "runner = [\"r*cos(q)\", \"r*sin(q)\"]\n");
}

motion_frames frames_of(const model& m, std::size_t steps, double turn, std::size_t most_numbers) {
  motion_frames frames(m.view, m.system, parameter_values<double>(m.system), most_numbers);
  for (std::size_t k = 0; k <= steps; ++k) {
    const double q = turn * static_cast<double>(k);
    frames.add(0.5 * static_cast<double>(k), std::span(&q, 1));
  }
  return frames;
}

void expect_on_the_circle(const frame_list& list, double turn) {
  for (std::size_t f = 0; f < list.size(); ++f) {
    const double q = turn * list.times[f] / 0.5;
    EXPECT_EQ(list.values[4 * f], 0);
    EXPECT_NEAR(list.values[4 * f + 2], 2 * std::cos(q), 1e-9);
    EXPECT_NEAR(list.values[4 * f + 3], 2 * std::sin(q), 1e-9);
  }
}

TEST(motion_frames, are_all_steps_while_they_fit) {
  const frame_list list = frames_of(circle(), 100, 0.01, 4000).whole();
  EXPECT_EQ(list.stride, 1u);
  ASSERT_EQ(list.size(), 101u);
  EXPECT_EQ(list.times[100], 50);
  expect_on_the_circle(list, 0.01);
}

TEST(motion_frames, of_a_slow_motion_are_thinned_evenly_and_keep_the_end) {
  const motion_frames frames = frames_of(circle(), 9999, 1e-3, 4000);  // room for 500
  EXPECT_FALSE(frames.beginning());
  const frame_list list = frames.whole();
  EXPECT_EQ(list.stride, 32u);
  EXPECT_LE(list.size(), 501u);
  EXPECT_EQ(list.times[1], 16);
  EXPECT_EQ(list.times.back(), 0.5 * 9999);
  expect_on_the_circle(list, 1e-3);
}

// A motion that is too fast for few frames is kept smooth at its beginning, as far as there is room.
TEST(motion_frames, of_a_fast_motion_have_a_beginning_that_an_eye_can_follow) {
  const double turn = 0.05;
  const motion_frames frames = frames_of(circle(), 100'000, turn, 4000);
  ASSERT_TRUE(frames.beginning());
  const frame_list& beginning = *frames.beginning();
  EXPECT_EQ(beginning.size(), 500u);
  EXPECT_EQ(beginning.stride, 8u);  // 16 would turn by 0.8: more than a fifth of the picture
  expect_on_the_circle(beginning, turn);
  const frame_list list = frames.whole();
  EXPECT_GT(list.stride, 100u);
  EXPECT_EQ(list.times.back(), 50'000);
  expect_on_the_circle(list, turn);
}

TEST(motion_frames, turn_bodies_no_faster_than_an_eye_can_follow) {
  const model m = testing::read(
      "coordinates = [\"q\"]\nlagrangian = \"q'^2/2\"\n[initial]\nposition = {q = 0}\nvelocity = {q = 1}\n"
      "[view.bodies.b]\nbox = [1, 2]\nangle = \"q\"\n");
  motion_frames slow(m.view, m.system, {}, 600), fast(m.view, m.system, {}, 600);
  for (int k = 0; k < 200; ++k) {
    const double q = 0.01 * k, p = 0.5 * k;
    slow.add(k, std::span(&q, 1));
    fast.add(k, std::span(&p, 1));
  }
  EXPECT_FALSE(slow.beginning());
  ASSERT_TRUE(fast.beginning());
  EXPECT_EQ(fast.beginning()->stride, 1u);
}

}  // namespace
}  // namespace actio
