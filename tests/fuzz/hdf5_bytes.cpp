// Trajectory files: arbitrary bytes in place of an HDF5 file. What this finds lies inside libhdf5, so it is run by hand
// only (docs/audit.md).
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "actio/io/trajectory_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace actio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("actio-fuzz-" + std::to_string(getpid()) + ".h5")).string();
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  fuzz::attempt([] {
    const trajectory_file file = trajectory_file::open(path);
    for (const std::string& name : file.columns()) {
      if (file.rows() > 0) (void)file.values(name, file.rows() - 1, 1);
    }
    (void)file.text("certificate");
  });
  std::filesystem::remove(path);
  return 0;
}
