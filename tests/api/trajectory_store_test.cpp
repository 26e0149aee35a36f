#include "actio/api/trajectory_store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "problems/problem.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

std::string place_for(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("actio_store_" + name)).string();
}

simulation_result kept_run(const model& m, const std::string& precision) {
  simulation_options options;
  const std::pair<const char*, std::string> typed[] = {
      {"method", "simpson"}, {"step", "0.1"}, {"until", "2"}, {"precision", precision}};
  for (const auto& [name, value] : typed) options.given.set(name, {value, {name, 0, 0}, name});
  options.keeps_trajectory = true;
  return simulate(m, options);
}

template <class S>
void expect_returned(const std::string& precision) {
  const model m = load_model("pendulum");
  const simulation_result result = kept_run(m, precision);
  const source_text path{place_for(precision + ".h5"), {"path", 0, 0}, "path"};
  save_trajectory(m, {}, result, path);
  const stored_trajectory stored = load_trajectory(path.text);
  const auto& table = std::get<simulated<S>>(result.numbers).trajectory;
  EXPECT_EQ(stored.kind, "run");
  EXPECT_EQ(stored.certificate, result.json);
  EXPECT_EQ(stored.model_text, m.text);
  ASSERT_EQ(stored.table.names, table.names);
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    if constexpr (std::same_as<S, double>) {
      EXPECT_EQ(std::get<0>(stored.table.columns[c]), table.columns[c]);
    } else {
      const auto& texts = std::get<1>(stored.table.columns[c]);
      ASSERT_EQ(texts.size(), table.columns[c].size());
      for (std::size_t k = 0; k < texts.size(); ++k) EXPECT_EQ(from_digits<S>(texts[k]), table.columns[c][k]);
    }
  }
  EXPECT_EQ(repeat_simulation(path.text).difference, "");
  std::filesystem::remove(path.text);
}

TEST(trajectory_store, gives_back_what_was_saved) {
  ACTIO_NEEDS(hdf5);
  expect_returned<double>("double");
  expect_returned<quad>("quad");
}

TEST(trajectory_store, gives_back_all_digits) {
  ACTIO_NEEDS(hdf5);
  ACTIO_NEEDS(mpfr);
  const precision_scope scope(40);
  expect_returned<multi>("40");
}

TEST(trajectory_store, refuses_damaged_files_by_name) {
  ACTIO_NEEDS(hdf5);
  const model m = load_model("pendulum");
  const source_text path{place_for("damaged.h5"), {"path", 0, 0}, "path"};
  save_trajectory(m, {}, kept_run(m, has_mpfr ? "30" : "quad"), path);
  std::string bytes;
  {
    std::ifstream file(path.text, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::uint64_t random = 1;
  const auto next = [&] { return (random = random * 6364136223846793005ULL + 1442695040888963407ULL) >> 33U; };
  for (int k = 0; k < 300; ++k) {
    std::string damaged = bytes;
    for (int flips = k % 5; flips >= 0; --flips)
      damaged[next() % damaged.size()] ^= static_cast<char>(1 + next() % 255);
    std::ofstream(path.text, std::ios::binary) << damaged;
    try {
      load_trajectory(path.text);
    } catch (const input_error& error) {
      EXPECT_TRUE(error.id() == "trajectory-damaged" || error.id() == "file-unreadable") << error.what();
    }
  }
  std::filesystem::remove(path.text);
}

TEST(trajectory_store, says_why_a_file_cannot_be_made) {
  const model m = load_model("pendulum");
  const simulation_result result = kept_run(m, "double");
  try {
    save_trajectory(m, {}, result, {place_for("nowhere/run.csv"), {"path", 0, 0}, "path"});
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "output-unwritable");
  }
}

}  // namespace
}  // namespace actio
