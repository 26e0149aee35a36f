// Machine code in executable memory.
//
// Objects from the code generator need nothing from outside, so that placing their sections and filling in the
// distances between them is all that linking has to do; code from the disk runs without starting LLVM.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace actio::machine_code {

class loaded_code {
 public:
  ~loaded_code();
  loaded_code(const loaded_code&) = delete;
  loaded_code& operator=(const loaded_code&) = delete;

  // The entry, of the type that its maker knows.
  template <class Entry>
  Entry entry_as() const {
    return reinterpret_cast<Entry>(entry_);
  }

  // Null when the bytes are not such an object, or when the system gives no executable memory.
  static std::shared_ptr<const loaded_code> load(std::string_view object);

 private:
  loaded_code(void* memory, std::size_t size, void (*entry)()) : memory_(memory), size_(size), entry_(entry) {}

  void* memory_;
  std::size_t size_;
  void (*entry_)();
};

// Whether the system lets a program make memory executable.
bool memory_can_become_executable();

}  // namespace actio::machine_code
