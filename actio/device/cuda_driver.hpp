// The driver of NVIDIA's GPUs, looked for when the program runs: nothing of CUDA is needed to build actio, and none of
// it where there is no GPU. One table says which of its functions are used.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace actio::device {

using cuda_status = int;                // 0: all is well
using cuda_place = unsigned long long;  // an address in the memory of a GPU
using cuda_handle = void*;              // a context, a module, a function, a stream

inline constexpr cuda_status cuda_out_of_memory = 2, cuda_no_device = 100, cuda_not_ready = 600;
// The oldest driver that translates what actio writes, as cuDriverGetVersion counts: 11.0.
inline constexpr int oldest_driver = 11000;

// Name in the table, name in the library, arguments.
#define ACTIO_CUDA_FUNCTIONS(F)                                                                                \
  F(init, cuInit, unsigned)                                                                                    \
  F(version, cuDriverGetVersion, int*)                                                                         \
  F(error_name, cuGetErrorName, cuda_status, const char**)                                                     \
  F(error_text, cuGetErrorString, cuda_status, const char**)                                                   \
  F(device_count, cuDeviceGetCount, int*)                                                                      \
  F(device, cuDeviceGet, int*, int)                                                                            \
  F(device_name, cuDeviceGetName, char*, int, int)                                                             \
  F(device_attribute, cuDeviceGetAttribute, int*, int, int)                                                    \
  F(device_memory, cuDeviceTotalMem_v2, std::size_t*, int)                                                     \
  F(retain_context, cuDevicePrimaryCtxRetain, cuda_handle*, int)                                               \
  F(release_context, cuDevicePrimaryCtxRelease_v2, int)                                                        \
  F(enter_context, cuCtxSetCurrent, cuda_handle)                                                               \
  F(memory_left, cuMemGetInfo_v2, std::size_t*, std::size_t*)                                                  \
  F(allocate, cuMemAlloc_v2, cuda_place*, std::size_t)                                                         \
  F(free, cuMemFree_v2, cuda_place)                                                                            \
  F(allocate_host, cuMemHostAlloc, void**, std::size_t, unsigned)                                              \
  F(free_host, cuMemFreeHost, void*)                                                                           \
  F(copy_in, cuMemcpyHtoDAsync_v2, cuda_place, const void*, std::size_t, cuda_handle)                          \
  F(copy_out, cuMemcpyDtoHAsync_v2, void*, cuda_place, std::size_t, cuda_handle)                               \
  F(fill, cuMemsetD8Async, cuda_place, unsigned char, std::size_t, cuda_handle)                                \
  F(make_stream, cuStreamCreate, cuda_handle*, unsigned)                                                       \
  F(ask_stream, cuStreamQuery, cuda_handle)                                                                    \
  F(end_stream, cuStreamDestroy_v2, cuda_handle)                                                               \
  F(load_module, cuModuleLoadDataEx, cuda_handle*, const void*, unsigned, int*, void**)                        \
  F(unload_module, cuModuleUnload, cuda_handle)                                                                \
  F(function, cuModuleGetFunction, cuda_handle*, cuda_handle, const char*)                                     \
  F(global, cuModuleGetGlobal_v2, cuda_place*, std::size_t*, cuda_handle, const char*)                         \
  F(function_attribute, cuFuncGetAttribute, int*, int, cuda_handle)                                            \
  F(launch, cuLaunchKernel, cuda_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
    cuda_handle, void**, void**)

// What a GPU or its driver could not do while it worked: not the fault of the input.
class gpu_failure : public std::runtime_error {
 public:
  gpu_failure(cuda_status code, const std::string& what) : std::runtime_error(what), code_(code) {}
  cuda_status code() const { return code_; }

 private:
  cuda_status code_;
};

class cuda_driver {
 public:
  // libcuda.so.1, or the file that $ACTIO_CUDA_DRIVER names (not for programs with rights of others). Throws
  // gpu-unavailable where there is none, or an older one, or where it does not start.
  static std::shared_ptr<const cuda_driver> load();

#define ACTIO_CUDA_MEMBER(name, symbol, ...) cuda_status (*name)(__VA_ARGS__) = nullptr;
  ACTIO_CUDA_FUNCTIONS(ACTIO_CUDA_MEMBER)
#undef ACTIO_CUDA_MEMBER

  // "out of memory (CUDA_ERROR_OUT_OF_MEMORY)".
  std::string words_for(cuda_status code) const;
  // Throws gpu_failure unless all is well; `doing`: "copying results".
  void require(cuda_status code, const char* doing) const;

 private:
  cuda_driver() = default;
};

// "12.4" for 12040.
std::string driver_version_text(int version);

}  // namespace actio::device
