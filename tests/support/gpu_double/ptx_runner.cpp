#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "tests/support/gpu_double/ptx.hpp"

namespace gpu_double {

namespace {

double real(std::uint64_t bits) { return std::bit_cast<double>(bits); }
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

__extension__ using whole_of_128_bits = unsigned __int128;

template <class X>
bool compared(code op, X a, X b) {
  switch (op) {
    case code::less: return a < b;
    case code::less_equal: return a <= b;
    case code::greater: return a > b;
    case code::greater_equal: return a >= b;
    case code::equal: return a == b;
    default: return a != b;
  }
}

bool comparison(const instruction& i, std::uint64_t a, std::uint64_t b) {
  if (i.is_double) {
    if (std::isnan(real(a)) || std::isnan(real(b))) return i.is_unordered;
    return i.op == code::ordered ? !i.is_unordered : compared(i.op, real(a), real(b));
  }
  if (i.bits == 32) {
    return i.is_signed ? compared(i.op, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b))
                       : compared(i.op, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  }
  return i.is_signed ? compared(i.op, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b))
                     : compared(i.op, a, b);
}

// Bits `at` … `at + length − 1`, with the sign of the last where they have one.
std::uint64_t extracted(std::uint64_t x, std::uint64_t at, std::uint64_t length, bool is_signed) {
  if (length == 0) return 0;
  const std::uint64_t part = (x >> at) & (length >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1);
  const bool is_negative = is_signed && ((part >> (length - 1)) & 1U) != 0;
  return is_negative && length < 64 ? part | ~std::uint64_t{0} << length : part;
}

// What an instruction that only computes makes of its operands.
std::uint64_t value_of(const instruction& i, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  switch (i.op) {
    case code::fma: return bits(std::fma(real(a), real(b), real(c)));
    case code::mul: return bits(real(a) * real(b));
    case code::add: return bits(real(a) + real(b));
    case code::sub: return bits(real(a) - real(b));
    case code::div: return bits(real(a) / real(b));
    case code::rcp: return bits(1 / real(a));
    case code::sqrt: return bits(std::sqrt(real(a)));
    case code::abs: return a & ~(std::uint64_t{1} << 63);
    case code::neg: return a ^ std::uint64_t{1} << 63;
    case code::max: return bits(std::fmax(real(a), real(b)));
    case code::min: return bits(std::fmin(real(a), real(b)));
    case code::floor: return bits(std::floor(real(a)));
    case code::of_whole: return bits(static_cast<double>(a));
    case code::of_integer: return bits(static_cast<double>(static_cast<std::int64_t>(a)));
    case code::whole_add: return a + b;
    case code::whole_sub: return a - b;
    case code::whole_mul: return a * b;
    case code::whole_mad: return a * b + c;
    case code::whole_mul_high: return static_cast<std::uint64_t>(static_cast<whole_of_128_bits>(a) * b >> 64);
    case code::whole_mul_wide: return std::uint64_t{static_cast<std::uint32_t>(a)} * static_cast<std::uint32_t>(b);
    case code::bit_and: return a & b;
    case code::bit_or: return a | b;
    case code::bit_xor: return a ^ b;
    case code::bit_not: return i.bits == 1 ? a ^ 1U : ~a;
    case code::shift_left: return b < i.bits ? a << b : 0;
    case code::shift_right: return b < i.bits ? a >> b : 0;
    case code::shift_right_signed:
      return i.bits == 32 ? static_cast<std::uint64_t>(static_cast<std::int32_t>(a) >> std::min<std::uint64_t>(b, 31))
                          : static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> std::min<std::uint64_t>(b, 63));
    case code::extract: return extracted(a, b, c, i.is_signed);
    case code::select: return c != 0 ? a : b;
    case code::narrow: return a & 0xffffffffU;
    case code::widen_signed: return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)});
    case code::move: return a;
    default: return comparison(i, a, b) ? 1 : 0;
  }
}

class thread_run {
 public:
  thread_run(const program& p, const thread_place& place, const memory_check& may_touch)
      : p_(p), place_(place), may_touch_(may_touch) {}

  bool run(const function& f, const std::vector<char*>& formal);

 private:
  struct frame {
    std::vector<std::uint64_t> registers, local;
    std::vector<char*> memories;
    std::size_t local_bytes;
  };
  std::uint64_t read(const frame& f, const operand& o) const {
    switch (o.from) {
      case operand::kind::reg: return f.registers[o.reg];
      case operand::kind::constant: return o.constant;
      case operand::kind::thread: return place_.thread;
      case operand::kind::block: return place_.block;
      case operand::kind::threads_a_block: return place_.threads_a_block;
      case operand::kind::none: break;
    }
    return 0;
  }
  bool may_touch(const frame& f, std::uint64_t place, std::size_t bytes) const {
    const auto local = reinterpret_cast<std::uint64_t>(f.local.data());
    if (place >= local && place + bytes <= local + f.local_bytes) return true;
    for (const auto& [name, table] : p_.tables) {
      const auto first = reinterpret_cast<std::uint64_t>(table.data());
      if (place >= first && place + bytes <= first + table.size()) return true;
    }
    return may_touch_(place, bytes);
  }
  bool transfer(frame& f, const instruction& i) const;
  bool call(frame& f, const instruction& i);

  const program& p_;
  const thread_place& place_;
  const memory_check& may_touch_;
};

bool thread_run::transfer(frame& f, const instruction& i) const {
  const bool loads = i.op == code::load || i.op == code::load_param;
  const std::size_t each = i.bits / 8;
  char* place = nullptr;
  if (i.param >= 0) {
    place = f.memories[static_cast<std::size_t>(i.param)] + i.offset;
  } else {
    const std::uint64_t address = read(f, i.of[0]) + static_cast<std::uint64_t>(i.offset);
    if (address % (each * i.count) != 0 || !may_touch(f, address, each * i.count)) return false;
    place = reinterpret_cast<char*>(address);
  }
  for (unsigned k = 0; k < i.count; ++k) {
    std::uint64_t value = 0;
    if (loads) {
      std::memcpy(&value, place + k * each, each);
      f.registers[i.result[k].reg] = value;
    } else {
      value = read(f, i.of[1 + k]);
      std::memcpy(place + k * each, &value, each);
    }
  }
  return true;
}

bool thread_run::call(frame& f, const instruction& i) {
  std::vector<char*> passed;
  for (const int memory : i.passed) passed.push_back(f.memories[static_cast<std::size_t>(memory)]);
  return run(p_.functions[i.target], passed);
}

bool thread_run::run(const function& f, const std::vector<char*>& formal) {
  constexpr std::uint64_t nothing = 0x7ff4dead00000000U;  // in memory that nobody wrote: not a number
  frame at{std::vector<std::uint64_t>(f.registers, nothing), std::vector<std::uint64_t>(f.local_bytes / 8 + 1, nothing),
           formal, f.local_bytes};
  std::vector<std::array<std::uint64_t, 4>> own(f.memories.size() - formal.size());
  for (auto& one : own) at.memories.push_back(reinterpret_cast<char*>(one.data()));
  if (f.local_register >= 0) {
    at.registers[static_cast<std::size_t>(f.local_register)] = reinterpret_cast<std::uint64_t>(at.local.data());
  }
  for (std::size_t k = 0; k < f.body.size(); ++k) {
    const instruction& i = f.body[k];
    if (i.guard >= 0 && (at.registers[static_cast<std::size_t>(i.guard)] != 0) == i.guard_is_negated) continue;
    switch (i.op) {
      case code::leave: return true;
      case code::branch: k = i.target - 1; break;
      case code::call:
        if (!call(at, i)) return false;
        break;
      case code::load:
      case code::store:
      case code::load_param:
      case code::store_param:
        if (!transfer(at, i)) return false;
        break;
      default: {
        const std::uint64_t x = value_of(i, read(at, i.of[0]), read(at, i.of[1]), read(at, i.of[2]));
        at.registers[i.result[0].reg] = i.bits == 32 && i.op != code::whole_mul_wide ? x & 0xffffffffU : x;
      }
    }
  }
  return true;
}

}  // namespace

bool run_thread(const program& p, const function& kernel, const std::vector<std::uint64_t>& arguments,
                const thread_place& place, const memory_check& may_touch) {
  std::vector<std::uint64_t> memory = arguments;
  std::vector<char*> formal;
  for (std::uint64_t& one : memory) formal.push_back(reinterpret_cast<char*>(&one));
  return thread_run(p, place, may_touch).run(kernel, formal);
}

}  // namespace gpu_double
