// Carries out PTX, thread by thread: the part of the language that kernels of actio use, to the letter. What it does
// not know it refuses, among it arithmetic whose rounding is left open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_double {

// Where an operand's value comes from.
struct operand {
  enum class kind : std::uint8_t { none, reg, constant, thread, threads_a_block, block } from = kind::none;
  std::uint32_t reg = 0;
  std::uint64_t constant = 0;
};

enum class code : std::uint8_t {
  fma,
  mul,
  add,
  sub,
  div,
  rcp,
  sqrt,
  abs,
  neg,
  max,
  min,  // of doubles
  floor,
  of_whole,
  of_integer,  // to doubles
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  ordered,  // setp; `unordered` counts NaN as true
  whole_add,
  whole_sub,
  whole_mul,
  whole_mul_high,
  whole_mul_wide,
  whole_mad,  // of integers
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shift_left,
  shift_right,
  shift_right_signed,
  extract,  //
  move,
  select,
  narrow,
  widen_signed,
  load,
  store,
  load_param,
  store_param,
  branch,
  call,
  leave
};

struct instruction {
  code op;
  bool is_unordered = false, is_signed = false, is_double = false, guard_is_negated = false;
  int guard = -1;  // a register
  unsigned bits = 64, count = 1;
  operand result[2] = {}, of[3] = {};
  std::int64_t offset = 0;       // of an address
  int param = -1;                // which memory of parameters
  std::size_t target = 0;        // of a branch; the function of a call
  std::vector<int> passed = {};  // memories of a call: what it returns first, then its arguments
  bool returns = false;
};

struct function {
  std::string name;
  bool is_kernel = false, returns = false;
  int block_size = 1024;  // threads that may run together
  std::size_t registers = 0, local_bytes = 0;
  int local_register = -1;                 // that holds the place of local memory
  std::vector<std::string> formal = {};    // parameters; that of the result first where there is one
  std::vector<std::string> memories = {};  // formal ones, then its own
  std::vector<instruction> body = {};
};

struct program {
  std::vector<function> functions;
  std::map<std::string, std::vector<unsigned char>> tables;  // numbers of the module; they stay where they are
  int target = 0;                                            // sm_90: 90
};

// Throws std::runtime_error with the line that it does not know.
std::unique_ptr<program> read_ptx(std::string_view text);

// Whether so many bytes may be read or written there.
using memory_check = std::function<bool(std::uint64_t place, std::size_t bytes)>;

struct thread_place {
  unsigned thread, block, threads_a_block;
};

// One thread of a kernel, whose arguments are 64 bits each. False where it leaves memory.
bool run_thread(const program& p, const function& kernel, const std::vector<std::uint64_t>& arguments,
                const thread_place& place, const memory_check& may_touch);

}  // namespace gpu_double
