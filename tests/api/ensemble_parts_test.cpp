// Ensembles in parts, interrupted ones and ones that several share: the file is that of an undivided one.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "actio/api/ensemble_join.hpp"
#include "actio/api/ensemble_pieces.hpp"
#include "actio/api/ensemble_simulation.hpp"
#include "actio/io/json_report.hpp"
#include "actio/io/trajectory_file.hpp"
#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"

namespace actio::testing {
namespace {

constexpr std::size_t trajectories = 60;

// Half of the trajectories escape: reasons, crossings and statistics have to come together, too.
ensemble_simulation_options stars(const std::string& output,
                                  const std::vector<std::pair<std::string, std::string>>& more = {}) {
  ensemble_simulation_options options;
  options.given = typed_options({{"count", std::to_string(trajectories)},
                                 {"seed", "5"},
                                 {"until", "30"},
                                 {"step", "0.1"},
                                 {"poincare", "x"},
                                 {"threads", "1"},
                                 {"output", output}});
  for (const auto& [name, value] : more) options.given.set(name, typed_options({{name, value}}).all().at(name));
  options.samples = {typed("y=normal(0,0.5)")};
  return options;
}

model galaxy() { return load_model("henon-heiles"); }

std::string summary_of(ensemble_report report) {
  report.setup_seconds = report.seconds = 0;
  return to_json(report);
}

// Columns of all tables, and all texts that do not depend on the machine.
std::string tables_in(const std::string& path) {
  if (!path.ends_with(".h5")) return contents(path) + contents(table_file(path, "poincare"));
  std::string all;
  for (const char* table : {"", "poincare"}) {
    const trajectory_file file = trajectory_file::open(path, table);
    for (const std::string& name : file.columns()) {
      const std::vector<double> numbers = file.numbers(name, 0, file.rows());
      all += name + std::string(reinterpret_cast<const char*>(numbers.data()), 8 * numbers.size());
    }
    for (const char* text : {"model", "options", "sample", "count", "seed", "part", "summary", "ledger"}) {
      all += std::string(text) + file.text(text);
    }
  }
  return all;
}

struct whole_ensemble {
  std::string tables, summary;
};

whole_ensemble undivided(const temporary_folder& folder, const std::string& ending) {
  const std::string path = folder.path("whole" + ending);
  const ensemble_simulation_result result = simulate_ensemble(galaxy(), stars(path));
  EXPECT_GT(result.report.failed(), 5U);
  EXPECT_GT(result.report.done(), 5U);
  EXPECT_GT(result.report.crossings, 20U);
  EXPECT_EQ(std::filesystem::exists(path + ".checkpoint"), ending != ".h5");
  return {tables_in(path), summary_of(result.report)};
}

TEST(ensemble_parts, joined_are_the_whole) {
  for (const std::string& ending : sink_endings()) {
    const temporary_folder folder;
    const whole_ensemble whole = undivided(folder, ending);
    for (const std::size_t parts : {1U, 3U, 7U}) {
      std::vector<source_text> files;
      for (std::size_t k = parts; k > 0; --k) {  // in any order
        const std::string part = std::to_string(k) + "/" + std::to_string(parts);
        files.push_back(typed(folder.path(std::to_string(parts) + "-" + std::to_string(k) + ending)));
        const auto result = simulate_ensemble(galaxy(), stars(files.back().text, {{"part", part}}));
        EXPECT_EQ(result.report.count, range_of({k, parts}, trajectories).size());
        const auto json = nlohmann::json::parse(to_json(result.report));
        EXPECT_EQ(json["part"]["number"], k);
        EXPECT_NE(to_text(result.report).find("of these alone"), std::string::npos);
      }
      const std::string joined = folder.path("joined" + ending);
      const joined_ensemble result = join_ensemble(files, typed(joined));
      EXPECT_TRUE(tables_in(joined) == whole.tables) << ending << ", " << parts;
      EXPECT_EQ(summary_of(result.report), whole.summary);
    }
  }
}

// More parts than trajectories leave some empty; formats may differ.
TEST(ensemble_parts, may_be_empty_and_of_any_format) {
  const temporary_folder folder;
  const whole_ensemble whole = undivided(folder, ".csv");
  std::vector<source_text> files;
  for (std::size_t k = 1; k <= 70; ++k) {
    files.push_back(typed(folder.path(std::to_string(k) + (k % 2 == 0 ? ".csv" : ".npy"))));
    simulate_ensemble(galaxy(), stars(files.back().text, {{"part", std::to_string(k) + "/70"}}));
  }
  join_ensemble(files, typed(folder.path("joined.csv")));
  EXPECT_TRUE(tables_in(folder.path("joined.csv")) == whole.tables);
}

// Interrupted several times, continued with other numbers of threads.
TEST(resumed_ensemble, is_the_uninterrupted_one) {
  for (const std::string& ending : sink_endings()) {
    const temporary_folder folder;
    const whole_ensemble whole = undivided(folder, ending);
    const std::string path = folder.path("again" + ending);
    std::size_t before = 0;
    bool was_between = false;  // interrupted with some of them done
    for (int attempt = 0;; ++attempt) {
      ASSERT_LT(attempt, 40);
      std::atomic<int> asked = 0;
      std::size_t collected = 0;
      auto options = stars(path, {{"resume", "true"}, {"threads", std::to_string(1 + attempt % 3)}});
      options.interrupted = [&] { return ++asked > 20 + 5 * attempt; };
      options.collect = [&](const trajectory_result& one) { EXPECT_EQ(one.index, collected++); };
      const auto result = simulate_ensemble(galaxy(), options);
      EXPECT_EQ(collected, result.report.count);
      EXPECT_GE(result.report.count, before);
      before = result.report.count;
      if (!result.report.interrupted) {
        EXPECT_EQ(summary_of(result.report), whole.summary);
        EXPECT_TRUE(was_between);
        break;
      }
      was_between = was_between || (result.report.count > 0 && result.report.count < trajectories);
      EXPECT_TRUE(std::filesystem::exists(path + ".checkpoint"));
    }
    EXPECT_TRUE(tables_in(path) == whole.tables) << ending;
    EXPECT_EQ(std::filesystem::exists(path + ".checkpoint"), ending != ".h5");
  }
}

TEST(resumed_ensemble, has_nothing_to_do_in_a_complete_part) {
  for (const std::string& ending : sink_endings()) {
    const temporary_folder folder;
    const std::string path = folder.path("part" + ending);
    const auto first = simulate_ensemble(galaxy(), stars(path, {{"part", "2/3"}}));
    const std::string tables = tables_in(path);
    auto options = stars(path, {{"part", "2/3"}, {"resume", "true"}});
    options.interrupted = [] { return true; };  // so that nothing can be computed
    const auto again = simulate_ensemble(galaxy(), options);
    EXPECT_FALSE(again.report.interrupted);
    EXPECT_EQ(summary_of(again.report), summary_of(first.report));
    if (ending != ".h5") {
      EXPECT_TRUE(tables_in(path) == tables);  // there the ledger has times
    }
  }
}

TEST(resumed_ensemble, has_nothing_to_do_in_a_complete_whole) {
  for (const std::string& ending : sink_endings()) {
    const temporary_folder folder;
    const whole_ensemble whole = undivided(folder, ending);
    const std::string path = folder.path("whole" + ending);
    auto options = stars(path, {{"resume", "true"}});
    options.interrupted = [] { return true; };  // so that nothing can be computed
    const auto again = simulate_ensemble(galaxy(), options);
    EXPECT_EQ(summary_of(again.report), whole.summary);
    EXPECT_TRUE(tables_in(path) == whole.tables);
    const auto other = [&] { simulate_ensemble(galaxy(), stars(path, {{"resume", "true"}, {"until", "31"}})); };
    EXPECT_THROW(other(), input_error);
    EXPECT_TRUE(tables_in(path) == whole.tables);
  }
}

// Threads that stand in for processes.
class thread_ranks {
 public:
  explicit thread_ranks(std::size_t size) : size_(size), meeting_(static_cast<std::ptrdiff_t>(size)), texts_(size) {}

  class member final : public rank_group {
   public:
    member(thread_ranks& all, std::size_t rank) : all_(all), rank_(rank) {}
    std::size_t rank() const override { return rank_; }
    std::size_t size() const override { return all_.size_; }
    std::string first_of(const std::string& text) override {
      all_.texts_[rank_] = text;
      all_.meeting_.arrive_and_wait();
      std::string first;
      for (const std::string& t : all_.texts_) first = first.empty() ? t : first;
      all_.meeting_.arrive_and_wait();
      return first;
    }
    void share(const std::vector<trajectory_range>& work, const std::function<bool()>&,
               const std::function<void(const range_source&)>& compute) override {
      if (rank_ == 0) all_.queue_.emplace(work, all_.size_);
      all_.meeting_.arrive_and_wait();
      compute([this, is_first = true]() mutable -> std::optional<trajectory_range> {
        std::unique_lock turn(all_.turn_);
        const auto range = all_.queue_->next();
        turn.unlock();
        if (std::exchange(is_first, false)) all_.meeting_.arrive_and_wait();  // each has one before any has two
        return range;
      });
      all_.meeting_.arrive_and_wait();
    }

   private:
    thread_ranks& all_;
    std::size_t rank_;
  };

 private:
  std::size_t size_;
  std::barrier<> meeting_;
  std::vector<std::string> texts_;
  std::mutex turn_;
  std::optional<range_queue> queue_;
};

// `dying`: a rank that stops soon, or none.
ensemble_simulation_result shared(std::size_t ranks, const std::string& path, bool resumes, std::size_t dying) {
  thread_ranks all(ranks);
  ensemble_simulation_result result;
  std::vector<std::thread> threads;
  const model m = galaxy();
  for (std::size_t k = 0; k < ranks; ++k) {
    threads.emplace_back([&, k] {
      thread_ranks::member own(all, k);
      auto options = stars(path);
      if (resumes) options.given.set("resume", typed("true"));
      options.ranks = &own;
      std::atomic<int> asked = 0;
      options.interrupted = [&] { return k == dying && ++asked > 2; };
      auto mine = simulate_ensemble(m, options);
      if (k == 0) result = std::move(mine);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return result;
}

// HDF5 does not go with threads, so in CSV; tests/cli/ranks_test.py has real processes.
TEST(shared_ensemble, is_that_of_one_process) {
  const temporary_folder folder;
  const whole_ensemble whole = undivided(folder, ".csv");
  for (const std::size_t ranks : {2U, 4U}) {
    const std::string path = folder.path("by" + std::to_string(ranks) + ".csv");
    const auto result = shared(ranks, path, false, ranks);
    EXPECT_EQ(summary_of(result.report), whole.summary);
    EXPECT_TRUE(tables_in(path) == whole.tables);
    EXPECT_TRUE(pieces_beside(path).found.empty());
  }
}

TEST(shared_ensemble, goes_on_with_another_number_of_processes) {
  const temporary_folder folder;
  const whole_ensemble whole = undivided(folder, ".csv");
  for (const std::size_t after : {1U, 2U, 3U}) {
    const std::string path = folder.path("then" + std::to_string(after) + ".csv");
    const auto first = shared(4, path, false, 1);
    EXPECT_TRUE(first.report.interrupted);
    EXPECT_LT(first.report.count, trajectories);
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_FALSE(pieces_beside(path).found.empty());
    const auto second =
        after == 1 ? simulate_ensemble(galaxy(), stars(path, {{"resume", "true"}})) : shared(after, path, true, after);
    EXPECT_EQ(summary_of(second.report), whole.summary);
    EXPECT_TRUE(tables_in(path) == whole.tables);
    EXPECT_TRUE(pieces_beside(path).found.empty());
  }
}

TEST(shared_ensemble, goes_on_from_one_process) {
  const temporary_folder folder;
  const whole_ensemble whole = undivided(folder, ".csv");
  const std::string path = folder.path("a.csv");
  auto options = stars(path);
  std::atomic<int> asked = 0;
  options.interrupted = [&] { return ++asked > 20; };
  const auto first = simulate_ensemble(galaxy(), options);
  ASSERT_TRUE(first.report.interrupted);
  ASSERT_GT(first.report.count, 0U);
  EXPECT_EQ(summary_of(shared(3, path, true, 3).report), whole.summary);
  EXPECT_TRUE(tables_in(path) == whole.tables);
}

// What is left of a shared one does not outlive a new beginning.
TEST(shared_ensemble, leaves_nothing_to_a_new_one) {
  const temporary_folder folder;
  const std::string path = folder.path("a.csv");
  shared(4, path, false, 1);
  ASSERT_FALSE(pieces_beside(path).found.empty());
  simulate_ensemble(galaxy(), stars(path));
  EXPECT_TRUE(pieces_beside(path).found.empty());
}

}  // namespace
}  // namespace actio::testing
