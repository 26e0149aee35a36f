#include "actio/backend/llvm/loaded_code.hpp"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

namespace {

class mapped_memory {
 public:
  explicit mapped_memory(std::size_t size)
      : size_(size), start_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~mapped_memory() {
    if (start_ != MAP_FAILED) munmap(start_, size_);
  }
  mapped_memory(const mapped_memory&) = delete;
  mapped_memory& operator=(const mapped_memory&) = delete;

  bool is_valid() const { return start_ != MAP_FAILED; }
  bool make_executable() { return mprotect(start_, size_, PROT_READ | PROT_EXEC) == 0; }
  char* start() const { return static_cast<char*>(start_); }
  std::size_t size() const { return size_; }
  void* release() { return std::exchange(start_, MAP_FAILED); }

 private:
  std::size_t size_;
  void* start_;
};

// Reads an ELF object; every access is checked, since the bytes may come from a file.
class object_reader {
 public:
  explicit object_reader(std::string_view bytes) : bytes_(bytes) {}

  bool read_sections() {
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_type != ET_REL || header->e_machine != EM_X86_64) {
      return false;
    }
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return false;
      sections_.push_back(*section);
    }
    return true;
  }

  // Gives every section that takes part a place; the bytes that all of them need, or nothing when one is malformed.
  std::optional<std::size_t> lay_out() {
    std::size_t end = 0;
    for (const Elf64_Shdr& s : sections_) {
      places_.push_back(end);
      if (!takes_part(s)) continue;
      if (s.sh_type == SHT_NOBITS || contents(s).size() != s.sh_size || s.sh_addralign > 4096) return std::nullopt;
      const std::size_t alignment = std::max<std::size_t>(1, s.sh_addralign);
      places_.back() = (end + alignment - 1) / alignment * alignment;
      end = places_.back() + s.sh_size;
    }
    return end;
  }

  void copy_to(char* memory) const {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const std::string_view bytes = takes_part(sections_[i]) ? contents(sections_[i]) : std::string_view();
      std::copy(bytes.begin(), bytes.end(), memory + places_[i]);
    }
  }

  // Fills in the distances; false when an object asks for anything else.
  bool relocate(char* memory) const {
    for (const Elf64_Shdr& s : sections_) {
      if (s.sh_type == SHT_REL) return false;
      if (s.sh_type != SHT_RELA || s.sh_info >= sections_.size() || !takes_part(sections_[s.sh_info])) continue;
      for (std::size_t i = 0; i < s.sh_size / sizeof(Elf64_Rela); ++i) {
        const auto relocation = at<Elf64_Rela>(s.sh_offset + i * sizeof(Elf64_Rela));
        if (!relocation || !apply(*relocation, s, memory)) return false;
      }
    }
    return true;
  }

  // Where the function `name` starts.
  std::optional<std::size_t> find(std::string_view name) const {
    for (const Elf64_Shdr& table : sections_) {
      if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections_.size()) continue;
      const std::string_view names = contents(sections_[table.sh_link]);
      for (std::size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
        const auto symbol = at<Elf64_Sym>(table.sh_offset + i * sizeof(Elf64_Sym));
        if (!symbol || symbol->st_name >= names.size()) return std::nullopt;
        if (names.substr(symbol->st_name, name.size()) != name) continue;
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC) return place_of(*symbol);
      }
    }
    return std::nullopt;
  }

 private:
  template <class T>
  std::optional<T> at(std::size_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T result;
    std::memcpy(&result, bytes_.data() + offset, sizeof(T));
    return result;
  }

  static bool takes_part(const Elf64_Shdr& s) {
    return (s.sh_flags & SHF_ALLOC) != 0 && s.sh_type != SHT_X86_64_UNWIND;
  }

  std::string_view contents(const Elf64_Shdr& s) const {
    if (s.sh_offset > bytes_.size()) return {};
    return bytes_.substr(s.sh_offset, s.sh_size);
  }

  std::optional<std::size_t> place_of(const Elf64_Sym& symbol) const {
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= sections_.size()) return std::nullopt;
    const Elf64_Shdr& home = sections_[symbol.st_shndx];
    if (!takes_part(home) || symbol.st_value > home.sh_size) return std::nullopt;
    return places_[symbol.st_shndx] + symbol.st_value;
  }

  bool apply(const Elf64_Rela& r, const Elf64_Shdr& list, char* memory) const {
    const std::size_t type = ELF64_R_TYPE(r.r_info);
    if ((type != R_X86_64_PC32 && type != R_X86_64_PLT32) || list.sh_link >= sections_.size()) return false;
    const auto symbol = at<Elf64_Sym>(sections_[list.sh_link].sh_offset + ELF64_R_SYM(r.r_info) * sizeof(Elf64_Sym));
    const auto place = symbol ? place_of(*symbol) : std::nullopt;
    const Elf64_Shdr& target = sections_[list.sh_info];
    if (!place || target.sh_size < sizeof(std::int32_t) || r.r_offset > target.sh_size - sizeof(std::int32_t)) {
      return false;
    }
    const std::size_t patched = places_[list.sh_info] + r.r_offset;
    const std::int64_t distance = static_cast<std::int64_t>(*place) + r.r_addend - static_cast<std::int64_t>(patched);
    if (distance != static_cast<std::int32_t>(distance)) return false;
    const auto narrow = static_cast<std::int32_t>(distance);
    std::memcpy(memory + patched, &narrow, sizeof(narrow));
    return true;
  }

  std::string_view bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<std::size_t> places_;
};

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::max<std::size_t>(1, (bytes + page - 1) / page) * page;
}

}  // namespace

loaded_code::~loaded_code() { munmap(memory_, size_); }

std::shared_ptr<const loaded_code> loaded_code::load(std::string_view object) {
  object_reader reader(object);
  if (!reader.read_sections()) return nullptr;
  const auto size = reader.lay_out();
  const auto start = size ? reader.find(entry_name) : std::nullopt;
  if (!start) return nullptr;
  mapped_memory memory(whole_pages(*size));
  if (!memory.is_valid()) return nullptr;
  reader.copy_to(memory.start());
  if (!reader.relocate(memory.start()) || !memory.make_executable()) return nullptr;
  const auto entry = reinterpret_cast<void (*)()>(memory.start() + *start);
  const std::size_t bytes = memory.size();
  return std::shared_ptr<const loaded_code>(new loaded_code(memory.release(), bytes, entry));
}

bool memory_can_become_executable() {
  static const bool can = [] {
    mapped_memory page(whole_pages(1));
    return page.is_valid() && page.make_executable();
  }();
  return can;
}

}  // namespace actio::machine_code
