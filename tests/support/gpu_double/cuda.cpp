// A stand-in for libcuda.so.1 that tests name in $ACTIO_CUDA_DRIVER: it has the functions that actio uses, keeps the
// memory of its GPUs on the host, and carries out the PTX that it gets. Work of a stream is done when the stream is
// asked for the second time, so that who does not wait sees nothing of it; memory begins with what is no number.
//
// What it pretends to be and what goes wrong, by variables that are read when it starts:
//   GPU_DOUBLE_VERSION 12080, GPU_DOUBLE_GPUS 1, GPU_DOUBLE_CAPABILITY 90, GPU_DOUBLE_MEMORY bytes of each
//   GPU_DOUBLE_FAILING_LAUNCH k     the k-th launch fails, and with it its GPU from then on
//   GPU_DOUBLE_HANGING_LAUNCH k     the k-th launch never ends
//   GPU_DOUBLE_REFUSES_MODULES 1    no kernel is translated
//   GPU_DOUBLE_LOCAL_BYTES n        local memory of a thread, as it is told
//   GPU_DOUBLE_LOG FILE             a line for each launch: GPU and threads
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/gpu_double/ptx.hpp"

namespace {

using status = int;
using place = unsigned long long;
constexpr status good = 0, invalid_value = 1, out_of_memory = 2, no_device = 100, invalid_device = 101,
                 invalid_ptx = 218, not_found = 500, not_ready = 600, illegal_address = 700, launch_failed = 719;

struct gpu {
  std::size_t used = 0;
  status lost = good;
};
struct block_of_memory {
  std::size_t bytes;
  int gpu;
  std::unique_ptr<std::uint64_t[]> numbers;
};
struct module {
  std::unique_ptr<gpu_double::program> code;
};
struct kernel {
  const module* from;
  const gpu_double::function* what;
};
struct stream {
  int gpu;
  bool was_asked = false, hangs = false;
  std::vector<std::function<status()>> work = {};
};

struct settings {
  long version = 12080, gpus = 1, capability = 90, memory = 1L << 30, failing = 0, hanging = 0, refuses = 0, local = 0;
  std::string log = {};
};

struct world {
  std::mutex mutex;
  settings now;
  std::vector<gpu> gpus;
  std::map<place, block_of_memory> memory;
  long launches = 0;
};

world& all() {
  static world w;
  return w;
}
thread_local int current = -1;

long number(const char* name, long otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::atol(text) : otherwise;
}

settings read_settings() {
  const char* const log = std::getenv("GPU_DOUBLE_LOG");
  return {.version = number("GPU_DOUBLE_VERSION", 12080),
          .gpus = number("GPU_DOUBLE_GPUS", 1),
          .capability = number("GPU_DOUBLE_CAPABILITY", 90),
          .memory = number("GPU_DOUBLE_MEMORY", 1L << 30),
          .failing = number("GPU_DOUBLE_FAILING_LAUNCH", 0),
          .hanging = number("GPU_DOUBLE_HANGING_LAUNCH", 0),
          .refuses = number("GPU_DOUBLE_REFUSES_MODULES", 0),
          .local = number("GPU_DOUBLE_LOCAL_BYTES", 0),
          .log = log != nullptr ? log : ""};
}

// Of the GPU that the thread has entered.
status usual() {
  if (current < 0) return 201;  // invalid context
  return all().gpus[static_cast<std::size_t>(current)].lost;
}

bool is_memory(place at, std::size_t bytes, int gpu) {
  auto& memory = all().memory;
  auto block = memory.upper_bound(at);
  if (block == memory.begin()) return false;
  --block;
  return block->second.gpu == gpu && at + bytes <= block->first + block->second.bytes;
}

status ask(stream& s, std::function<status()> what) {
  const std::scoped_lock lock(all().mutex);
  if (const status now = usual(); now != good) return now;
  if (s.gpu != current) return invalid_value;
  s.work.push_back(std::move(what));
  s.was_asked = false;
  return good;
}

// The launch with this number.
status run(const kernel& f, std::vector<std::uint64_t> arguments, unsigned blocks, unsigned threads, int gpu,
           long count) {
  if (count > 0 && count == all().now.failing) return launch_failed;
  const gpu_double::memory_check may_touch = [gpu](std::uint64_t at, std::size_t bytes) {
    const std::scoped_lock lock(all().mutex);
    return is_memory(at, bytes, gpu);
  };
  for (unsigned b = 0; b < blocks; ++b) {
    for (unsigned t = 0; t < threads; ++t) {
      if (!gpu_double::run_thread(*f.from->code, *f.what, arguments, {t, b, threads}, may_touch))
        return illegal_address;
    }
  }
  return good;
}

void log_launch(int gpu, std::uint64_t threads) {
  if (all().now.log.empty()) return;
  if (std::FILE* const file = std::fopen(all().now.log.c_str(), "a")) {
    std::fprintf(file, "%d %llu\n", gpu, static_cast<unsigned long long>(threads));
    std::fclose(file);
  }
}

}  // namespace

extern "C" {

status cuInit(unsigned) {
  const std::scoped_lock lock(all().mutex);
  all().now = read_settings();
  if (all().gpus.size() != static_cast<std::size_t>(all().now.gpus))
    all().gpus.assign(static_cast<std::size_t>(all().now.gpus), {});
  for (gpu& one : all().gpus) one.lost = good;
  all().launches = 0;
  return all().now.gpus > 0 ? good : no_device;
}
status cuDriverGetVersion(int* version) {
  *version = static_cast<int>(read_settings().version);
  return good;
}
status cuGetErrorName(status code, const char** name) {
  static const std::map<status, const char*> names{
      {invalid_value, "CUDA_ERROR_INVALID_VALUE"}, {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {no_device, "CUDA_ERROR_NO_DEVICE"},         {invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
      {not_ready, "CUDA_ERROR_NOT_READY"},         {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {launch_failed, "CUDA_ERROR_LAUNCH_FAILED"}};
  const auto found = names.find(code);
  *name = found == names.end() ? nullptr : found->second;
  return found == names.end() ? invalid_value : good;
}
status cuGetErrorString(status code, const char** text) {
  *text = code == out_of_memory   ? "out of memory"
          : code == launch_failed ? "unspecified launch failure"
                                  : "as its name says";
  return good;
}
status cuDeviceGetCount(int* count) {
  *count = static_cast<int>(all().now.gpus);
  return good;
}
status cuDeviceGet(int* device, int number) {
  *device = number;
  return number >= 0 && number < all().now.gpus ? good : invalid_device;
}
status cuDeviceGetName(char* name, int length, int device) {
  std::snprintf(name, static_cast<std::size_t>(length), "double %d", device);
  return good;
}
status cuDeviceGetAttribute(int* value, int attribute, int) {
  const int capability = static_cast<int>(all().now.capability);
  switch (attribute) {
    case 16: *value = 2; return good;                // multiprocessors
    case 39: *value = 1024; return good;             // threads of each
    case 75: *value = capability / 10; return good;  // compute capability
    case 76: *value = capability % 10; return good;
    default: return invalid_value;
  }
}
status cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = static_cast<std::size_t>(all().now.memory);
  return good;
}
status cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = reinterpret_cast<void*>(static_cast<std::uintptr_t>(device + 1));
  return good;
}
status cuDevicePrimaryCtxRelease_v2(int) { return good; }
status cuCtxSetCurrent(void* context) {
  current = static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 1;
  return good;
}
status cuMemGetInfo_v2(std::size_t* left, std::size_t* whole) {
  const std::scoped_lock lock(all().mutex);
  if (const status now = usual(); now != good) return now;
  *whole = static_cast<std::size_t>(all().now.memory);
  *left = *whole - std::min(*whole, all().gpus[static_cast<std::size_t>(current)].used);
  return good;
}
status cuMemAlloc_v2(place* where, std::size_t bytes) {
  const std::scoped_lock lock(all().mutex);
  if (const status now = usual(); now != good) return now;
  gpu& here = all().gpus[static_cast<std::size_t>(current)];
  if (bytes == 0) return invalid_value;
  if (here.used + bytes > static_cast<std::size_t>(all().now.memory)) return out_of_memory;
  auto numbers = std::make_unique<std::uint64_t[]>(bytes / 8 + 1);
  std::fill_n(numbers.get(), bytes / 8 + 1, 0x7ff4dead00000000U);
  *where = reinterpret_cast<place>(numbers.get());
  here.used += bytes;
  all().memory[*where] = {bytes, current, std::move(numbers)};
  return good;
}
status cuMemFree_v2(place where) {
  const std::scoped_lock lock(all().mutex);
  const auto found = all().memory.find(where);
  if (found == all().memory.end()) return invalid_value;
  all().gpus[static_cast<std::size_t>(found->second.gpu)].used -= found->second.bytes;
  all().memory.erase(found);
  return good;
}
status cuMemHostAlloc(void** where, std::size_t bytes, unsigned) {
  *where = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  return *where != nullptr ? good : out_of_memory;
}
status cuMemFreeHost(void* where) {
  std::free(where);
  return good;
}
status cuStreamCreate(void** made, unsigned) {
  if (current < 0) return invalid_value;
  *made = new stream{current};
  return good;
}
status cuStreamDestroy_v2(void* which) {
  delete static_cast<stream*>(which);
  return good;
}
status cuMemcpyHtoDAsync_v2(place to, const void* from, std::size_t bytes, void* in) {
  return ask(*static_cast<stream*>(in), [=] {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return good;
  });
}
status cuMemcpyDtoHAsync_v2(void* to, place from, std::size_t bytes, void* in) {
  return ask(*static_cast<stream*>(in), [=] {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return good;
  });
}
status cuMemsetD8Async(place from, unsigned char byte, std::size_t bytes, void* in) {
  return ask(*static_cast<stream*>(in), [=] {
    std::memset(reinterpret_cast<void*>(from), byte, bytes);
    return good;
  });
}
status cuStreamQuery(void* which) {
  stream& s = *static_cast<stream*>(which);
  if (s.hangs) return not_ready;
  if (!s.was_asked && !s.work.empty()) {
    s.was_asked = true;
    return not_ready;
  }
  for (const auto& work : std::exchange(s.work, {})) {
    const status now = work();
    if (now == not_ready) {
      s.hangs = true;
      return not_ready;
    }
    if (now == good) continue;
    const std::scoped_lock lock(all().mutex);
    return all().gpus[static_cast<std::size_t>(s.gpu)].lost = now;
  }
  const std::scoped_lock lock(all().mutex);
  return all().gpus[static_cast<std::size_t>(s.gpu)].lost;
}
status cuModuleLoadDataEx(void** made, const void* image, unsigned options, int* which, void** values) {
  try {
    if (all().now.refuses != 0) throw std::runtime_error("refused, as it was told");
    auto loaded = std::make_unique<module>(gpu_double::read_ptx(static_cast<const char*>(image)));
    if (loaded->code->target > all().now.capability) throw std::runtime_error("made for a newer GPU");
    *made = loaded.release();
    return good;
  } catch (const std::exception& error) {
    for (unsigned k = 0; k < options; ++k) {
      if (which[k] == 5) std::snprintf(static_cast<char*>(values[k]), 1024, "%s\n", error.what());
    }
    return invalid_ptx;
  }
}
status cuModuleUnload(void* which) {
  delete static_cast<module*>(which);
  return good;
}
status cuModuleGetFunction(void** made, void* from, const char* name) {
  const auto& code = *static_cast<module*>(from)->code;
  for (const gpu_double::function& f : code.functions) {
    if (!f.is_kernel || f.name != name) continue;
    *made = new kernel{static_cast<module*>(from), &f};  // as long as the process
    return good;
  }
  return not_found;
}
status cuModuleGetGlobal_v2(place* at, std::size_t* bytes, void* in, const char* name) {
  auto& tables = static_cast<module*>(in)->code->tables;
  const auto found = tables.find(name);
  if (found == tables.end()) return not_found;
  *at = reinterpret_cast<place>(found->second.data());
  *bytes = found->second.size();
  return good;
}
status cuFuncGetAttribute(int* value, int attribute, void* which) {
  const auto& what = *static_cast<kernel*>(which)->what;
  const long told = all().now.local;
  if (attribute == 0) *value = what.block_size;
  else if (attribute == 3) *value = told > 0 ? static_cast<int>(told) : static_cast<int>(what.local_bytes);
  else return invalid_value;
  return good;
}
status cuLaunchKernel(void* which, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned,
                      void* in, void** arguments, void**) {
  const kernel& f = *static_cast<kernel*>(which);
  if (threads > static_cast<unsigned>(f.what->block_size)) return invalid_value;
  std::vector<std::uint64_t> values;
  for (std::size_t k = 0; k < f.what->formal.size(); ++k) values.push_back(*static_cast<std::uint64_t*>(arguments[k]));
  stream& s = *static_cast<stream*>(in);
  long count = 0;
  {
    const std::scoped_lock lock(all().mutex);
    if (values.at(1) > 0) {  // not those that only make it ready
      count = ++all().launches;
      log_launch(s.gpu, values[1]);
    }
  }
  return ask(s, [=, &f, gpu = s.gpu] {
    if (count > 0 && count == all().now.hanging) return not_ready;
    return run(f, values, blocks, threads, gpu, count);
  });
}

}  // extern "C"
