// Processors that code is made for, and LLVM's way from a module to what the processor takes.
#pragma once

#include <functional>
#include <string>

namespace llvm {
class Module;
}  // namespace llvm

namespace actio::machine_code {

inline constexpr const char* entry_name = "entry";

struct code_target {
  std::string triple, processor, features;  // features: "+avx2,-avx512f,..."
  bool has_wide_vectors = false;            // of 512 bits
  bool is_gpu = false;                      // takes PTX, a text that its driver translates
};

// The processor that this runs on.
const code_target& host_target();
// NVIDIA's GPUs of this architecture, "sm_70", and later ones.
code_target gpu_target(const std::string& architecture);

// The host, and what decides about the code otherwise: LLVM's version and this generator.
const std::string& target_description();
// Whether the host has AVX2 and FMA, which every piece of code uses.
bool processor_suffices();
// Doubles in the widest vector of the host: 4 or 8.
std::size_t widest_vector();

// As blocks are written, or what most of a function waits for first (see block_order.hpp).
enum class instruction_order { as_written, by_need };

// The module that `write` fills as an object file, or as PTX; its entry is the function of that name.
std::string compile_module(const code_target& target, const std::function<void(llvm::Module&)>& write,
                           instruction_order order = instruction_order::as_written);
// For the host.
std::string compile_module(const std::function<void(llvm::Module&)>& write,
                           instruction_order order = instruction_order::as_written);

}  // namespace actio::machine_code
