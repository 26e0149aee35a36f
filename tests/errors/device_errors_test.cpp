// GPUs that are not there, or cannot do what is asked: status 2 with what there is and what to do.

#include <gtest/gtest.h>

#include "actio/api/ensemble_simulation.hpp"
#include "actio/backend/device_code.hpp"
#include "actio/device/gpu.hpp"
#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/gpu_double/settings.hpp"

namespace actio::testing {
namespace {

std::vector<std::string> ensemble_on(const std::string& device, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"ensemble", "double-pendulum", "--sweep", "q1=0.1:1:4", "--steps", "5",
                                 "--method", "gauss-3",         "--quiet", "--device",   device};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& message) {
  const outcome result = actio_program(arguments);
  EXPECT_EQ(result.status, 2) << result.out << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
}

class device_errors : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu_double_path().empty()) GTEST_SKIP() << "this build has no stand-in for a driver";
  }
};

TEST_F(device_errors, devices_that_are_none) {
  for (const std::string device : {"tpu", "gpu:", "gpu:x", "gpu:-1", "gpu:1,1", "gpu:1,", "GPU"}) {
    expect_refused(ensemble_on(device),
                   "actio: '" + device +
                       "' is no device, --device; give cpu, gpu for all GPUs, gpu:K or gpu:K,L for "
                       "some, or list to see what there is");
  }
}

TEST_F(device_errors, no_driver_and_no_gpu) {
  {
    const gpu_setting none({{"ACTIO_CUDA_DRIVER", "/nowhere/libcuda.so.1"}});
    expect_refused(ensemble_on("gpu"),
                   "actio: there is no driver of NVIDIA GPUs on this machine (/nowhere/libcuda.so.1");
    expect_refused(
        ensemble_on("gpu"),
        "--device; install NVIDIA's driver, or leave --device out to compute on the CPU, with the same results");
  }
  {
    const gpu_setting none({{"GPU_DOUBLE_GPUS", "0"}});
    expect_refused(ensemble_on("gpu"), "actio: there is no GPU that the driver can use, --device; leave --device out");
  }
  const gpu_setting one;
  expect_refused(ensemble_on("gpu:3"),
                 "actio: there is no GPU 3: the driver knows 1, --device; see what there is with --device list");
}

TEST_F(device_errors, what_is_too_old) {
  {
    const gpu_setting old({{"GPU_DOUBLE_VERSION", "10020"}});
    expect_refused(ensemble_on("gpu"),
                   "actio: the driver of NVIDIA GPUs is too old: it is of CUDA 10.2, --device; install "
                   "one of CUDA 11.0 or newer");
  }
  const gpu_setting old({{"GPU_DOUBLE_CAPABILITY", "61"}});
  expect_refused(ensemble_on("gpu"), "is older than compute capability 7.0, --device; name another GPU");
}

TEST_F(device_errors, what_a_gpu_cannot_hold) {
  if (!writes_device_code()) GTEST_SKIP() << "this build writes no PTX";
  {
    const gpu_setting small({{"GPU_DOUBLE_MEMORY", "1000000"}, {"GPU_DOUBLE_LOCAL_BYTES", "1000"}});
    expect_refused(ensemble_on("gpu"),
                   "actio: the memory of GPU 0: double 0, 0.0 GiB, 2 multiprocessors, compute "
                   "capability 9.0 does not suffice: 0.001 GiB are free, the threads of this model "
                   "take 0.002");
  }
  {
    const gpu_setting tiny({{"GPU_DOUBLE_MEMORY", "100"}});
    expect_refused(ensemble_on("gpu"), "does not suffice: 0.000 GiB are free, the threads of this model take 0.000");
  }
  const gpu_setting refusing({{"GPU_DOUBLE_REFUSES_MODULES", "1"}});
  expect_refused(ensemble_on("gpu"),
                 "translating the kernel: as its name says (CUDA_ERROR_INVALID_PTX); refused, as it was told");
}

TEST_F(device_errors, what_gpus_do_not_move) {
  const gpu_setting one;
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& why) {
    expect_refused(arguments,
                   "actio: GPUs do not move this ensemble: " + why + ", --device; GPUs take Gauss and Lobatto methods");
  };
  refused({"ensemble", "pendulum", "--sweep", "q=0.1:1:4", "--steps", "5", "--method", "rk4", "--device", "gpu"},
          "there are no kernels of 'rk4'");
  refused(ensemble_on("gpu", {"--lyapunov", "--poincare", "q2"}),
          "Lyapunov exponents and a section are asked for together");
  refused({"ensemble", "bead-on-parabola", "--sweep", "g=9:10:3", "--steps", "5", "--device", "gpu"},
          "the model has constraints");
}

// Known by their ids to those who call the library.
TEST(device_error_ids, are_those_of_the_catalogue) {
  const auto id_of = [](auto&& call) {
    try {
      call();
    } catch (const input_error& error) {
      return std::string(error.id());
    }
    return std::string("nothing thrown");
  };
  EXPECT_EQ(id_of([] { device::gpu::open(1000); }), "gpu-unavailable");
  ensemble_simulation_options options;
  options.given = typed_options({{"method", "rk4"}, {"step", "0.01"}, {"steps", "5"}, {"device", "gpu"}});
  options.sweeps.push_back({"q=0.1:1:4", {}, ""});
  EXPECT_EQ(id_of([&] { simulate_ensemble(load_model("pendulum"), options); }), "gpu-refuses");
}

TEST_F(device_errors, what_there_is) {
  const gpu_setting two({{"GPU_DOUBLE_GPUS", "2"}, {"GPU_DOUBLE_CAPABILITY", "61"}});
  for (const std::vector<std::string>& words : {std::vector<std::string>{"ensemble", "--device"},
                                                {"ensemble", "--device", "list"},
                                                {"ensemble", "--device=list"}}) {
    const outcome listed = actio_program(words);
    EXPECT_EQ(listed.status, 0) << listed.err;
    EXPECT_NE(listed.out.find("cpu: "), std::string::npos);
    EXPECT_NE(listed.out.find("gpu:1: GPU 1: double 1, 1.0 GiB, 2 multiprocessors, compute capability 6.1, too old\n"),
              std::string::npos)
        << listed.out;
  }
  const gpu_setting none({{"ACTIO_CUDA_DRIVER", "/nowhere/libcuda.so.1"}});
  const outcome listed = actio_program({"ensemble", "--device"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_NE(listed.out.find("no GPU: there is no driver of NVIDIA GPUs on this machine"), std::string::npos)
      << listed.out;
}

}  // namespace
}  // namespace actio::testing
