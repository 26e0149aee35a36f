#include "papers/judgement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "papers/paper.hpp"
#include "papers/reproduction.hpp"

namespace actio {

namespace {

using numbers = std::vector<double>;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view empty_paper() {
  return R"({"title": "t", "authors": "a", "summary": "s", "year": 1, "tables": []})";
}

// The one claim that `write` makes.
paper_claim claim_of(const std::function<void(reproduction&)>& write) {
  const paper p{"doe2020", empty_paper, nullptr};
  const reproduction_options options;
  reproduction r(p, options);
  write(r);
  return r.finished().claims.at(0);
}

}  // namespace

TEST(judgement, says_its_rule_and_keeps_to_it) {
  EXPECT_EQ(at_most(1, 2).rule, "at most 2");
  EXPECT_TRUE(at_most(2, 2).holds);
  EXPECT_FALSE(at_most(2.1, 2).holds);
  EXPECT_EQ(at_most(0, 0).rule, "exactly 0");
  EXPECT_FALSE(at_most(1e-300, 0).holds);
  EXPECT_TRUE(at_least(2, 2).holds);
  EXPECT_FALSE(at_least(1.9, 2).holds);
  EXPECT_EQ(about("order", within(2.04, 2, 0.05)).rule, "order within 0.05 of 2");
  EXPECT_TRUE(within(1.96, 2, 0.05).holds);
  EXPECT_FALSE(within(1.94, 2, 0.05).holds);
  EXPECT_TRUE(within_range(2.9, 3.9, 3, 1).holds);
  EXPECT_FALSE(within_range(2.9, 4.1, 3, 1).holds);
  EXPECT_TRUE(within_share(numbers{99, 101}, numbers{100, 100}, 0.01).holds);
  EXPECT_FALSE(within_share(numbers{99, 102}, numbers{100, 100}, 0.01).holds);
  EXPECT_TRUE(inside(1, 2, 1, 2, 0).holds);
  EXPECT_FALSE(inside(1, 2.2, 1, 2, 0.1).holds);
  EXPECT_FALSE(inside(0.8, 2, 1, 2, 0.1).holds);
  const judgement both = at_most(1, 2) && at_most(3, 2);
  EXPECT_EQ(both.rule, "at most 2; at most 2");
  EXPECT_FALSE(both.holds);
}

TEST(judgement, judges_nothing_without_numbers) {
  EXPECT_FALSE(at_most(nothing, 2).is_computed);
  EXPECT_FALSE(at_least(nothing, 2).is_computed);
  EXPECT_FALSE(within(nothing, 2, 1).is_computed);
  EXPECT_FALSE(within_range(2, nothing, 2, 1).is_computed);
  EXPECT_FALSE(within_share(numbers{nothing}, numbers{1}, 1).is_computed);
  EXPECT_FALSE(inside(nothing, 2, 1, 2, 0).is_computed);
  EXPECT_FALSE(all_below(numbers{}, numbers{}, "").is_computed);
  EXPECT_FALSE(all_below(numbers{1}, numbers{nothing}, "").is_computed);
  EXPECT_FALSE(falls(numbers{2, nothing}).is_computed);
  EXPECT_FALSE(keeps_its_size(tenths(numbers{1, 2, 3})).is_computed) << "some tenths have no value";
  EXPECT_FALSE(grows(numbers{1, nothing}).is_computed);
  EXPECT_FALSE((at_most(1, 2) && at_most(nothing, 2)).is_computed);
}

// Simpson more precise than RK4, DVP than EM: at every step, not on the whole.
TEST(judgement, of_precision_needs_every_step) {
  EXPECT_TRUE(all_below(numbers{1, 2}, numbers{2, 3}, "at every step").holds);
  EXPECT_FALSE(all_below(numbers{1, 3}, numbers{2, 3}, "at every step").holds);
  EXPECT_FALSE(all_below(numbers{1}, numbers{2, 3}, "at every step").holds);
}

// No artificial dissipation: an error that oscillates keeps its size, one that drifts does not.
TEST(judgement, of_dissipation_tells_oscillation_from_drift) {
  numbers bounded, drifting;
  for (int k = 0; k < 1000; ++k) {
    bounded.push_back(1e-6 * std::sin(0.37 * k));
    drifting.push_back(bounded.back() - 1e-8 * k);
  }
  EXPECT_TRUE(keeps_its_size(tenths(bounded)).holds);
  EXPECT_FALSE(grows(tenths(bounded)).holds);
  EXPECT_FALSE(keeps_its_size(tenths(drifting)).holds);
  EXPECT_TRUE(grows(tenths(drifting)).holds);
  EXPECT_NEAR(growth(numbers{2, 5, 6}), 3, 1e-15);
}

TEST(judgement, takes_the_largest_of_each_tenth) {
  numbers values(20, 1);
  values[19] = -7;
  const numbers found = tenths(values);
  ASSERT_EQ(found.size(), 10U);
  EXPECT_EQ(found.front(), 1);
  EXPECT_EQ(found.back(), 7);
}

TEST(judgement, of_convergence_needs_every_number_to_fall) {
  EXPECT_TRUE(falls(numbers{3, 2, 1}).holds);
  EXPECT_FALSE(falls(numbers{3, 1, 2}).holds);
  EXPECT_FALSE(falls(numbers{3, 3, 2}).holds);
}

// Work that grows with 1/h has power 1; one that grows faster is found out.
TEST(judgement, of_work_finds_the_power_of_the_step) {
  const numbers steps{1e-3, 1e-2, 1e-1};
  EXPECT_NEAR(growth_of_work(steps, numbers{1e3, 1e2, 1e1}), 1, 1e-12);
  EXPECT_NEAR(growth_of_work(steps, numbers{1e6, 1e4, 1e2}), 2, 1e-12);
}

TEST(judgement, correlates) {
  EXPECT_NEAR(correlation(numbers{1, 2, 3}, numbers{5, 7, 9}), 1, 1e-15);
  EXPECT_NEAR(correlation(numbers{1, 2, 3}, numbers{3, 2, 1}), -1, 1e-15);
  EXPECT_NEAR(correlation(numbers{1, 2, 1, 2}, numbers{1, 1, 2, 2}), 0, 1e-15);
  EXPECT_TRUE(std::isnan(correlation(numbers{1, 2}, numbers{1, 1})));
  EXPECT_TRUE(std::isnan(correlation(numbers{1, 2}, numbers{1})));
}

TEST(judgement, measures_distances_by_the_range_of_the_drawing) {
  EXPECT_NEAR(visible_distance(numbers{0, 1.1, 4}, numbers{0, 1, 4}), 0.025, 1e-15);
  EXPECT_TRUE(std::isnan(visible_distance(numbers{0}, numbers{0, 1})));
}

// A number inside its tolerance is close, a statement holds; each has its own word when it fails.
TEST(reproduction, has_a_word_for_each_way_of_being_judged) {
  const auto verdict_of = [](const std::function<void(reproduction&)>& write) { return claim_of(write).verdict; };
  const judgement yes = at_most(1, 2), no = at_most(3, 2), unknown = at_most(nothing, 2);
  EXPECT_EQ(verdict_of([](reproduction& r) { r.number("n", "1.18", 1.1803); }), "agrees");
  EXPECT_EQ(verdict_of([](reproduction& r) { r.number("n", "1.18", 1.19); }), "disagrees");
  EXPECT_EQ(verdict_of([&](reproduction& r) { r.close("n", "1", "1", yes); }), "close");
  EXPECT_EQ(verdict_of([&](reproduction& r) { r.close("n", "1", "3", no); }), "disagrees");
  EXPECT_EQ(verdict_of([&](reproduction& r) { r.statement("n", "yes", "", yes); }), "holds");
  EXPECT_EQ(verdict_of([&](reproduction& r) { r.statement("n", "yes", "", no); }), "does not hold");
  EXPECT_EQ(verdict_of([&](reproduction& r) { r.statement("n", "yes", "", unknown); }), "not reproducible");
  EXPECT_EQ(verdict_of([&](reproduction& r) { r.misprint("n", "yes", "", yes, ""); }), "misprint");
  EXPECT_EQ(verdict_of([&](reproduction& r) { r.misprint("n", "yes", "", no, ""); }), "disagrees");
}

// A note on what does not hold never covers what does, nor what holds nowhere.
TEST(reproduction, judges_both_parts_of_a_statement_that_holds_in_part) {
  const judgement yes = at_most(1, 2), no = at_most(3, 2);
  const auto verdict_of = [](const judgement& part, const judgement& rest) {
    return claim_of([&](reproduction& r) { r.statement_in_part("s", "yes", "", part, rest, "note"); }).verdict;
  };
  EXPECT_EQ(verdict_of(yes, no), "holds in part");
  EXPECT_EQ(verdict_of(yes, yes), "holds");
  EXPECT_EQ(verdict_of(no, no), "does not hold");
  EXPECT_EQ(verdict_of(no, yes), "does not hold");
  EXPECT_EQ(verdict_of(yes, at_most(nothing, 2)), "not reproducible");
}

TEST(reproduction, keeps_the_rule_and_enough_digits_of_a_claim) {
  const paper_claim number = claim_of([](reproduction& r) { r.number("n", "199.8255", 199.82551); });
  EXPECT_EQ(number.rule, "the printed digits");
  EXPECT_EQ(number.reproduced, "199.8255100");
  EXPECT_EQ(claim_of([](reproduction& r) { r.close("n", "2", "2.01", within(2.01, 2, 0.1)); }).rule, "within 0.1 of 2");
}

// Progress goes from 0 to 1, whether tasks speak of their own or not.
TEST(reproduction, tells_how_far_it_is) {
  std::vector<double> parts;
  const paper p{"doe2020", empty_paper, nullptr};
  const reproduction_options options{.threads = 1, .progress = [&](double part) { parts.push_back(part); }};
  reproduction r(p, options);
  r.task(6, [&] { r.progressed(2); });
  r.task(2, [] {});
  r.work();
  EXPECT_EQ(parts, (std::vector<double>{0.25, 0.75, 1}));
}

}  // namespace actio
