// The processor that code is made for, and LLVM's way from a module to an object file.
#pragma once

#include <functional>
#include <string>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace actio::machine_code {

inline constexpr const char* entry_name = "entry";

// The processor, and what decides about the code otherwise: LLVM's version and this generator.
const std::string& target_description();
// Whether the processor has AVX2 and FMA, which every piece of code uses.
bool processor_suffices();
// Doubles in the widest vector of the processor: 4 or 8.
std::size_t widest_vector();

// Attributes that every function of a module has.
void prepare(llvm::Function& f);

// As blocks are written, or what most of a function waits for first (see block_order.hpp).
enum class instruction_order { as_written, by_need };

// The object file of the module that `write` fills; its entry is the function of that name.
std::string compile_module(const std::function<void(llvm::Module&)>& write,
                           instruction_order order = instruction_order::as_written);

}  // namespace actio::machine_code
