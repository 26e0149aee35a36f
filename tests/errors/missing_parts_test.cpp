// What a build leaves out is refused by name, in the words of docs/core.md.
#include <gtest/gtest.h>

#include "actio/backend/backend.hpp"
#include "actio/base/scalar.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio::testing {
namespace {

void expect_refused(const std::vector<std::string>& arguments, const std::string& answer, const std::string& cure) {
  const outcome refused = actio_program(arguments);
  EXPECT_EQ(refused.status, 2) << refused.out;
  EXPECT_NE(refused.err.find(answer), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("; " + cure), std::string::npos) << refused.err;
  EXPECT_NE(contents(ACTIO_SOURCE_DIR "/docs/core.md").find("| " + answer + " |"), std::string::npos) << answer;
}

TEST(missing_parts, digits_without_mpfr) {
  ACTIO_NEEDS_NO(mpfr);
  expect_refused({"run", "kepler", "--steps", "1", "--precision", "50"},
                 "this build has no MPFR: it cannot compute with 50 digits",
                 "give double or quad, or build actio with MPFR");
  expect_refused({"exact", "kepler", "--times", "1", "--precision", "quad"},
                 "this build has no MPFR: it knows exact motions in double only",
                 "leave --precision out, or build actio with MPFR");
}

TEST(missing_parts, machine_code_without_llvm) {
  ACTIO_NEEDS_NO(machine_code);
  expect_refused({"run", "kepler", "--steps", "1", "--backend", "machine-code"},
                 "this build or this processor has no machine code",
                 "leave --backend out, or build actio with LLVM for a processor with AVX2");
}

TEST(missing_parts, files_without_hdf5) {
  ACTIO_NEEDS_NO(hdf5);
  const temporary_folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path(""));
  expect_refused({"run", "kepler", "--steps", "1", "--output", "FILE.h5"},
                 "'FILE.h5' cannot be written: this build of actio has no HDF5",
                 "end its name with .csv or .npy, or build actio with HDF5");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
  folder.write("FILE.h5", "a trajectory");
  for (const std::vector<std::string>& reading :
       {std::vector<std::string>{"show", "FILE.h5"}, {"run", "FILE.h5", "--again"}}) {
    expect_refused(reading, "'FILE.h5' cannot be read: this build of actio has no HDF5", "build actio with HDF5");
  }
  std::filesystem::current_path(before);
}

// Threads are no part of a result: the same trajectories come in the same order, however many are asked for.
TEST(missing_parts, threads_change_no_result) {
  const temporary_folder folder;
  const auto ensemble_on = [&](const std::string& threads) {
    const std::string path = folder.path("on_" + threads + ".csv");
    const outcome done = actio_program({"ensemble", "pendulum", "--sweep", "q=0.1:1:7", "--steps", "20", "--threads",
                                        threads, "--output", path, "--quiet"});
    EXPECT_EQ(done.status, 0) << done.err;
    return contents(path);
  };
  const std::string on_one = ensemble_on("1");
  EXPECT_GT(on_one.size(), 100U);
  EXPECT_EQ(ensemble_on("4"), on_one);
}

}  // namespace
}  // namespace actio::testing
