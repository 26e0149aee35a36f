#include "actio/device/cuda_driver.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "actio/base/error.hpp"

#if defined(__linux__)
#include <dlfcn.h>
#endif

namespace actio::device {

namespace {

constexpr const char* usual_library = "libcuda.so.1";
constexpr const char* cpu_instead = "leave @device out to compute on the CPU, with the same results";

[[noreturn]] void refuse(const std::string& message, const std::string& cure) {
  throw input_error("gpu-unavailable", message, {"@device", 0, 0}, cure);
}

#if defined(__linux__)
std::string library_path() {
  const char* const named = secure_getenv("ACTIO_CUDA_DRIVER");
  return named != nullptr && *named != '\0' ? named : usual_library;
}

// What was loaded stays for the life of the process: drivers do not like to be unloaded.
void* opened(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    refuse(fmt::format("there is no driver of NVIDIA GPUs on this machine ({})", why != nullptr ? why : path),
           fmt::format("install NVIDIA's driver, or {}", cpu_instead));
  }
  return library;
}

void* symbol_in(void* library, const char* name) {
  void* const symbol = dlsym(library, name);
  if (symbol == nullptr) {
    refuse(fmt::format("the driver of NVIDIA GPUs is too old: it has no {}", name),
           fmt::format("install driver {} or newer, or {}", driver_version_text(oldest_driver), cpu_instead));
  }
  return symbol;
}
#else
void* opened(const std::string&) { refuse("GPUs are supported on Linux only", cpu_instead); }
std::string library_path() { return usual_library; }
void* symbol_in(void*, const char*) { return nullptr; }
#endif

}  // namespace

std::string driver_version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::shared_ptr<const cuda_driver> cuda_driver::load() {
  void* const library = opened(library_path());
  const std::shared_ptr<cuda_driver> driver(new cuda_driver);
#define ACTIO_CUDA_LOAD(name, symbol, ...) \
  driver->name = reinterpret_cast<cuda_status (*)(__VA_ARGS__)>(symbol_in(library, #symbol));
  ACTIO_CUDA_FUNCTIONS(ACTIO_CUDA_LOAD)
#undef ACTIO_CUDA_LOAD
  int version = 0;
  if (driver->version(&version) != 0 || version < oldest_driver) {
    refuse(fmt::format("the driver of NVIDIA GPUs is too old: it is of CUDA {}", driver_version_text(version)),
           fmt::format("install one of CUDA {} or newer, or {}", driver_version_text(oldest_driver), cpu_instead));
  }
  const cuda_status started = driver->init(0);
  if (started == cuda_no_device) refuse("there is no GPU that the driver can use", cpu_instead);
  if (started != 0) {
    refuse(fmt::format("the driver of NVIDIA GPUs does not start: {}", driver->words_for(started)),
           fmt::format("see whether nvidia-smi lists a GPU, or {}", cpu_instead));
  }
  return driver;
}

std::string cuda_driver::words_for(cuda_status code) const {
  const char *name = nullptr, *text = nullptr;
  if (error_name(code, &name) != 0 || name == nullptr) return fmt::format("error {}", code);
  if (error_text(code, &text) != 0 || text == nullptr) return name;
  return fmt::format("{} ({})", text, name);
}

void cuda_driver::require(cuda_status code, const char* doing) const {
  if (code != 0) throw gpu_failure(code, fmt::format("{}: {}", doing, words_for(code)));
}

}  // namespace actio::device
