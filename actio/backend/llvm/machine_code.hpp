// The fast backend of doubles: programs compiled by LLVM for the processor at hand.
//
// Code is made for each number of lanes apart, and kept in memory and on disk. Until making it pays, programs are run
// by other means with the same bits. Results have the same bits for every number of points and in every lane; they may
// differ from the interpreter's in the last bits, because products are fused with sums and elementary functions come
// from elsewhere.
#pragma once

#include <memory>

#include "actio/backend/compiled_function.hpp"

namespace actio {

namespace machine_code {

// Whether the processor has AVX2 and FMA and memory can be made executable.
bool runs_here();

}  // namespace machine_code

enum class compile_when {
  worthwhile,  // once a program has run for as long as compiling takes
  called,      // in the first evaluation
};

std::shared_ptr<const compiled_function<double>> compile_to_machine_code(program p, compile_when when);

}  // namespace actio
