// A kernel of trajectories with what it works on and what must come out: written where LLVM is, read on the processor
// that the kernel was made for.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace actio::testing {

struct kernel_data {
  std::uint64_t rows = 0, first_rate = 0, last_rate = 0;  // rates mean nothing at the end
  std::uint64_t steps = 0;
  std::vector<double> fixed = {}, certificate_fixed = {};
  std::vector<double> starts = {}, ends = {};  // one trajectory after the other, all its rows

  std::size_t trajectories() const { return starts.size() / rows; }

  void write(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    for (const std::uint64_t number : {rows, first_rate, last_rate, steps}) put(file, &number, 1);
    for (const auto* numbers : {&fixed, &certificate_fixed, &starts, &ends}) {
      const std::uint64_t count = numbers->size();
      put(file, &count, 1);
      put(file, numbers->data(), numbers->size());
    }
  }
  bool read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    for (std::uint64_t* number : {&rows, &first_rate, &last_rate, &steps}) get(file, number, 1);
    for (auto* numbers : {&fixed, &certificate_fixed, &starts, &ends}) {
      std::uint64_t count = 0;
      get(file, &count, 1);
      if (!file) return false;
      numbers->resize(count);
      get(file, numbers->data(), count);
    }
    return static_cast<bool>(file) && rows > 0 && starts.size() == ends.size();
  }

 private:
  template <class X>
  static void put(std::ofstream& file, const X* from, std::size_t count) {
    file.write(reinterpret_cast<const char*>(from), static_cast<std::streamsize>(count * sizeof(X)));
  }
  template <class X>
  static void get(std::ifstream& file, X* to, std::size_t count) {
    file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count * sizeof(X)));
  }
};

}  // namespace actio::testing
