#include "actio/backend/device_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "actio/backend/code_store.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/program_bytes.hpp"
#include "actio/base/digest.hpp"
#ifdef ACTIO_HAS_NVPTX
#include "actio/backend/llvm/neighbour_writer.hpp"
#include "actio/backend/llvm/trajectory_writer.hpp"
#endif

namespace actio {

namespace {

constexpr std::string_view beginning = "// PTX of actio\n";

// PTX that `write` writes, under a name that no two kernels share. LLVM's version is not part of it: what PTX says it
// says to the bit.
std::optional<std::string> kept_or_written(const std::string& architecture, const std::string& name,
                                           [[maybe_unused]] const std::function<std::string()>& write) {
  const auto store = machine_code::code_store::of_user();
  const std::string key = digest("PTX " + architecture + ' ' + machine_code::code_generator() + '\n' + name);
  if (auto kept = store.find(key); kept && kept->starts_with(beginning)) return kept;
#ifdef ACTIO_HAS_NVPTX
  std::string ptx = std::string(beginning) + write();
  store.keep(key, ptx);
  return ptx;
#else
  return {};
#endif
}

bool has_outside_calls(const program& p) {
  return std::ranges::any_of(p.body, [](const instruction& i) { return machine_code::is_outside(i.op); });
}

}  // namespace

std::string device_architecture(int capability) { return capability >= 90 ? "sm_90" : "sm_70"; }

bool writes_device_code() {
#ifdef ACTIO_HAS_NVPTX
  return true;
#else
  return false;
#endif
}

bool suits_devices(const kernel::trajectory_code& code) {
  return !has_outside_calls(code.step.equations) && !has_outside_calls(code.certificate);
}

std::optional<std::string> make_device_code(const kernel::trajectory_code& code, const std::string& architecture) {
  return kept_or_written(architecture, machine_code::bytes_of(code), [&]() -> std::string {
#ifdef ACTIO_HAS_NVPTX
    return machine_code::make_trajectory_ptx(code, machine_code::gpu_target(architecture));
#else
    return {};
#endif
  });
}

std::optional<std::string> make_neighbour_code(const kernel::trajectory_rows& rows, const std::string& architecture) {
  const std::string name =
      fmt::format("neighbours {} {} {} {} {}", rows.coordinates, rows.remembered, rows.varied, rows.momenta, rows.more);
  return kept_or_written(architecture, name, [&]() -> std::string {
#ifdef ACTIO_HAS_NVPTX
    return machine_code::make_neighbour_ptx(rows, machine_code::gpu_target(architecture));
#else
    return {};
#endif
  });
}

std::string device_code_folder() { return machine_code::code_store::of_user().folder().string(); }

}  // namespace actio
