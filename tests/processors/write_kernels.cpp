// Writes kernels of trajectories as ARM64 objects, with their data: write_kernels FOLDER. Prints the name of each.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "actio/backend/llvm/trajectory_writer.hpp"
#include "problems/problem.hpp"
#include "tests/processors/kernel_data.hpp"
#include "tests/support/kernel_bench.hpp"

extern "C" {
void LLVMInitializeAArch64TargetInfo();
void LLVMInitializeAArch64Target();
void LLVMInitializeAArch64TargetMC();
void LLVMInitializeAArch64AsmPrinter();
}

namespace {

using actio::testing::kernel_bench;

constexpr std::size_t trajectories = 11, steps = 25;

actio::testing::kernel_data data_of(const kernel_bench& bench, const actio::model& m) {
  actio::testing::kernel_data data{.rows = bench.code.rows.count(),
                                   .first_rate = bench.code.rows.memory(0),
                                   .last_rate = bench.code.rows.initial_energy(),
                                   .steps = steps};
  data.fixed = actio::machine_code::fixed_with(bench.code.step.equations, bench.parameters);
  data.certificate_fixed = actio::machine_code::fixed_with(bench.code.certificate, bench.parameters);
  for (std::size_t k = 0; k < trajectories; ++k) {
    const auto start = bench.start(m, k, k % 3 == 1 ? 0.03 : 0.02, k == 4 ? 17 : steps);
    const auto end = bench.with_numbers(start, steps);
    data.starts.insert(data.starts.end(), start.begin(), start.end());
    data.ends.insert(data.ends.end(), end.begin(), end.end());
  }
  return data;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  const actio::machine_code::code_target target{
      .triple = "aarch64-linux-gnu", .processor = "generic", .features = "+neon"};
  const std::filesystem::path folder = words[1];
  for (const char* name : {"double-pendulum", "kepler", "damped-driven-pendulum", "lagrange-top"}) {
    const actio::model m = actio::load_model(name);
    const kernel_bench bench(m, "gauss-3");
    data_of(bench, m).write((folder / (std::string(name) + ".data")).string());
    for (const std::size_t lanes : {1U, 2U, 4U, 8U}) {
      const std::string object = std::string(name) + "." + std::to_string(lanes);
      std::ofstream(folder / (object + ".o"), std::ios::binary)
          << actio::machine_code::make_trajectory_object(bench.code, lanes, target);
      std::printf("%s\n", object.c_str());
    }
  }
}
