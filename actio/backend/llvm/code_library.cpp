#include "actio/backend/llvm/code_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <unordered_map>

#include "actio/backend/backend.hpp"
#include "actio/backend/code_store.hpp"
#include "actio/backend/program_bytes.hpp"
#include "actio/base/digest.hpp"
#include "actio/base/error.hpp"

namespace actio::machine_code {

namespace {

constexpr std::size_t bytes_of_an_operation = 16;  // in what describes a program
constexpr std::size_t noteworthy_operations = 4000;

// The code of the whole process. What nobody uses any more stays for a while, since models are often taken up again.
class library {
 public:
  static library& of_process() {
    static library all;
    return all;
  }

  std::shared_ptr<const loaded_code> find(const std::string& what, const object_maker* maker) {
    const std::string key = digest(target_description() + '\n' + what);
    const std::shared_ptr<shelf> place = shelf_of(key);
    const std::scoped_lock lock(place->mutex);  // who asks for the same code waits; others do not
    std::shared_ptr<const loaded_code> code = place->code.lock();
    if (!code) {
      code = load(key);
      if (!code && maker) code = make(key, what.size(), *maker);
      if (!code) return nullptr;
      place->code = code;
    }
    stay(code);
    return code;
  }

 private:
  struct shelf {
    std::mutex mutex;
    std::weak_ptr<const loaded_code> code;
  };

  std::shared_ptr<shelf> shelf_of(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<shelf>& place = shelves_[key];
    if (!place) place = std::make_shared<shelf>();
    return place;
  }

  void stay(const std::shared_ptr<const loaded_code>& code) {
    constexpr std::size_t most = 64;
    const std::scoped_lock lock(mutex_);
    recent_.push_back(code);
    if (recent_.size() > most) recent_.pop_front();
  }

  std::shared_ptr<const loaded_code> load(const std::string& key) {
    const auto kept = store_.find(key);
    return kept ? loaded_code::load(*kept) : nullptr;
  }

  std::shared_ptr<const loaded_code> make(const std::string& key, std::size_t size, const object_maker& maker) {
    const std::size_t operations = size / bytes_of_an_operation;
    if (compile_note note = noted_compilation(); note && operations >= noteworthy_operations) note(operations);
    const std::string object = maker();
    auto code = loaded_code::load(object);
    if (!code) throw std::runtime_error("machine code: no executable memory");
    store_.keep(key, object);
    return code;
  }

  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<shelf>> shelves_;
  std::deque<std::shared_ptr<const loaded_code>> recent_;
  const code_store store_ = code_store::of_user();
};

}  // namespace

std::shared_ptr<const loaded_code> shared_code(const std::string& what, const object_maker& maker) {
  return library::of_process().find(what, &maker);
}

program_code::program_code(program p)
    : source_(std::move(p)),
      runner_(kernel::analyse(source_)),
      bytes_(bytes_of(source_)),
      initial_fixed_(fixed_numbers(source_)) {}

entry_point program_code::obtain(const code_shape& shape, bool may_make) const {
  const std::scoped_lock lock(mutex_);
  auto& code = codes_[{shape.lanes, shape.points, shape.any_argument}];
  if (!code) {
    const std::string what = fmt::format("{} {} {}\n{}", shape.lanes, shape.points, shape.any_argument, bytes_);
    const object_maker maker = [&] { return make_object(source_, shape); };
    code = library::of_process().find(what, may_make ? &maker : nullptr);
  }
  return code ? code->entry_as<entry_point>() : nullptr;
}

bool program_code::compiling_pays(const code_shape& shape) const {
  // The runner takes some nanoseconds an operation; LLVM takes some milliseconds and tens of microseconds an operation,
  // of long programs more: its registers and their places on the stack take a time that grows with the square. Whoever
  // waits until both are equal loses at most a factor of two against knowing the future.
  constexpr std::size_t start = 1'000'000, each = 5'000, doubled_at = 2'000;  // in operations of the runner
  auto& times = times_run_[2 * shape.points + (shape.any_argument ? 1 : 0)];
  const std::size_t points = shape.points * (times.fetch_add(1, std::memory_order_relaxed) + 1);
  const std::size_t operations = runner_.operations();
  return points * operations > start + (each + each * operations / doubled_at) * operations;
}

}  // namespace actio::machine_code
