#include "actio/backend/device_code.hpp"

#include <algorithm>

#include "actio/backend/code_store.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/program_bytes.hpp"
#include "actio/base/digest.hpp"
#ifdef ACTIO_HAS_NVPTX
#include "actio/backend/llvm/trajectory_writer.hpp"
#endif

namespace actio {

namespace {

constexpr std::string_view beginning = "// PTX of actio\n";

// No two kernels share it. LLVM's version is not part of it: what PTX says it says to the bit.
std::string key_of(const kernel::trajectory_code& code, const std::string& architecture) {
  return digest("PTX " + architecture + ' ' + machine_code::code_generator() + '\n' + machine_code::bytes_of(code));
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
  return !has_outside_calls(code.field.field) && !has_outside_calls(code.certificate);
}

std::optional<std::string> make_device_code(const kernel::trajectory_code& code, const std::string& architecture) {
  const auto store = machine_code::code_store::of_user();
  const std::string key = key_of(code, architecture);
  if (auto kept = store.find(key); kept && kept->starts_with(beginning)) return kept;
#ifdef ACTIO_HAS_NVPTX
  std::string ptx =
      std::string(beginning) + machine_code::make_trajectory_ptx(code, machine_code::gpu_target(architecture));
  store.keep(key, ptx);
  return ptx;
#else
  return {};
#endif
}

std::string device_code_folder() { return machine_code::code_store::of_user().folder().string(); }

}  // namespace actio
