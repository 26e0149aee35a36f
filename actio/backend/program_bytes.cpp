#include "actio/backend/program_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/backend/interpreter/double_lanes.hpp"
#include "actio/base/scalar.hpp"

namespace actio::machine_code {

std::string bytes_of(const program& p) {
  std::string bytes = fmt::format("{} {}\n", p.parameters, p.variables);
  bytes.reserve(bytes.size() + 16 * p.body.size() + 4 * p.outputs.size());
  const auto add = [&](std::uint32_t number) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(number >> shift));
  };
  for (const instruction& i : p.body) {
    add(static_cast<std::uint32_t>(i.op));
    add(i.target);
    add(i.left);
    add(i.right);
  }
  bytes += "outputs";
  for (const std::uint32_t r : p.outputs) add(r);
  return bytes;
}

std::vector<double> fixed_numbers(const program& p) {
  std::size_t end = p.parameters;
  for (const auto& c : p.constants) end = std::max<std::size_t>(end, c.target + 1);
  for (const std::uint32_t r : p.pi_registers) end = std::max<std::size_t>(end, r + 1);
  for (const instruction& i : p.setup) end = std::max<std::size_t>(end, i.target + 1);
  std::vector<double> numbers(end, 0.0);
  for (const auto& c : p.constants) numbers[c.target] = from_rational<double>(c.value);
  for (const std::uint32_t r : p.pi_registers) numbers[r] = pi_value<double>();
  return numbers;
}

std::string bytes_of(const kernel::trajectory_code& code) {
  const kernel::trajectory_rows& r = code.rows;
  const std::string text = fmt::format("trajectories {}: {} {} {} {} {} {}\n", code.step.method->name(), r.coordinates,
                                       r.varied, r.momenta, r.more, r.neighbours, code.has_power);
  return text + bytes_of(code.step.equations) + bytes_of(code.certificate);
}

void set_fixed(const program& p, std::span<const double> parameters, std::vector<double>& fixed) {
  std::copy(parameters.begin(), parameters.end(), fixed.begin());
  interpreter::run_lanes(1, p.setup, fixed.data());
}

std::vector<double> fixed_with(const program& p, std::span<const double> parameters) {
  std::vector<double> fixed = fixed_numbers(p);
  set_fixed(p, parameters, fixed);
  return fixed;
}

}  // namespace actio::machine_code
