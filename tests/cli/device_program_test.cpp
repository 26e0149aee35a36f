// actio ensemble --device: files with the bytes of those of the processor, whatever computed what.
#include <gtest/gtest.h>

#include <filesystem>

#include "actio/backend/device_code.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/gpu_double/settings.hpp"
#include "tests/support/parts.hpp"

namespace actio::testing {
namespace {

class device_program : public ::testing::Test {
 protected:
  void SetUp() override {
    ACTIO_NEEDS(machine_code);
    if (!writes_device_code() || gpu_double_path().empty()) GTEST_SKIP() << "this build writes no PTX";
  }
  std::vector<std::string> ensemble(const std::string& output, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"ensemble", "double-pendulum", "--sweep",  "q1=0.1:1:30",        "--steps", "8",
                                   "--method", "gauss-3",         "--output", folder_.path(output), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string rows(const std::string& output) const { return contents(folder_.path(output)); }

  temporary_folder folder_;
};

TEST_F(device_program, writes_the_bytes_of_the_cpu) {
  const gpu_setting two({{"GPU_DOUBLE_GPUS", "2"}});
  ASSERT_EQ(actio_program(ensemble("cpu.csv")).status, 0);
  const outcome there = actio_program(ensemble("gpu.csv", {"--device", "gpu"}));
  ASSERT_EQ(there.status, 0) << there.err;
  EXPECT_NE(there.out.find("a trajectory a thread on double 0, double 1"), std::string::npos) << there.out;
  EXPECT_EQ(rows("gpu.csv"), rows("cpu.csv"));
  for (const std::string part : {"1/2", "2/2"}) {
    const std::string name = part.substr(0, 1) + ".csv";
    ASSERT_EQ(actio_program(ensemble(name, {"--device", part == "1/2" ? "gpu:1" : "cpu", "--part", part})).status, 0);
  }
  ASSERT_EQ(
      actio_program({"join", folder_.path("1.csv"), folder_.path("2.csv"), "--output", folder_.path("all.csv")}).status,
      0);
  EXPECT_EQ(rows("all.csv"), rows("cpu.csv"));
}

TEST_F(device_program, goes_on_with_another_device) {
  ASSERT_EQ(actio_program(ensemble("cpu.csv")).status, 0);
  ASSERT_EQ(actio_program(ensemble("some.csv", {"--part", "1/3"})).status, 0);
  const gpu_setting one;
  const outcome there = actio_program(ensemble("some.csv", {"--resume", "--device", "gpu"}));
  ASSERT_EQ(there.status, 0) << there.err;
  EXPECT_EQ(rows("some.csv"), rows("cpu.csv"));
}

TEST_F(device_program, says_that_a_gpu_failed) {
  ASSERT_EQ(actio_program(ensemble("cpu.csv")).status, 0);
  const gpu_setting failing({{"GPU_DOUBLE_FAILING_LAUNCH", "2"}});
  std::vector<std::string> words = ensemble("gpu.csv", {"--device", "gpu"});
  std::erase(words, "--quiet");
  const outcome there = actio_program(words);
  ASSERT_EQ(there.status, 0) << there.err;
  // Which of the blocks notices first is a matter of chance.
  EXPECT_NE(there.err.find("actio: GPU 0 (double 0) was given up: "), std::string::npos) << there.err;
  EXPECT_NE(
      there.err.find("unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED); its trajectories are done on the CPU"),
      std::string::npos)
      << there.err;
  EXPECT_EQ(rows("gpu.csv"), rows("cpu.csv"));
}

TEST_F(device_program, repeats_an_ensemble_of_a_file) {
  if (!part_hdf5().is_there) GTEST_SKIP() << "this build has no HDF5";
  const gpu_setting one;
  ASSERT_EQ(actio_program(ensemble("e.h5", {"--device", "gpu"})).status, 0);
  EXPECT_EQ(actio_program({"ensemble", folder_.path("e.h5"), "--again"}).out, "the bits agree: 30 rows\n");
  EXPECT_EQ(actio_program({"ensemble", folder_.path("e.h5"), "--again", "--device", "gpu"}).out,
            "the bits agree: 30 rows\n");
}

TEST_F(device_program, prepares_kernels) {
  const std::string cache = folder_.path("cache");
  setenv("ACTIO_CACHE_DIR", cache.c_str(), 1);
  const outcome prepared = actio_program(
      {"ensemble", "double-pendulum", "--sweep", "q1=0.1:1:30", "--method", "gauss-3", "--device", "prepare"});
  EXPECT_EQ(prepared.status, 0) << prepared.err;
  EXPECT_EQ(prepared.out, "kernels for sm_70 and sm_90 and later GPUs are in the code cache, '" + cache + "'\n");
  std::size_t kernels = 0;
  for (const auto& file : std::filesystem::directory_iterator(cache)) {
    if (contents(file.path()).find(".visible .entry") != std::string::npos) ++kernels;
  }
  EXPECT_EQ(kernels, 2U);
  unsetenv("ACTIO_CACHE_DIR");
}

}  // namespace
}  // namespace actio::testing
