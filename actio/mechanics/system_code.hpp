// A system and what is made from its expressions alone: derivatives, programs, compiled functions, each of them once.
// Values of parameters have no part in it: they are bound to what is made (bound_parameters.hpp), and may change.
#pragma once

#include <concepts>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <utility>

#include "actio/base/scalar.hpp"
#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// What tells compiled functions of one scalar apart: the digits that their constants have.
template <class S>
std::string digits_of_constants() {
  if constexpr (std::same_as<S, multi>) return std::to_string(digits_in_use());
  return "";
}

// Immutable but for pieces that are made when they are first asked for; any number of threads may share it.
class system_code {
 public:
  explicit system_code(lagrangian_system system) : system_(std::move(system)) {}

  // With the parameters at the values that they had when it was made.
  const lagrangian_system& system() const { return system_; }

  // What `make()` gives; it is asked once for each T and key.
  template <class T, class Make>
  std::shared_ptr<const T> piece(const std::string& key, Make&& make) const {
    const std::lock_guard lock(mutex_);
    const auto name = std::pair(std::type_index(typeid(T)), key);
    if (const auto known = pieces_.find(name); known != pieces_.end()) {
      return std::static_pointer_cast<const T>(known->second);
    }
    auto made = std::make_shared<const T>(make());
    pieces_.emplace(name, made);
    return made;
  }

 private:
  lagrangian_system system_;
  mutable std::recursive_mutex mutex_;  // pieces are made from others
  mutable std::map<std::pair<std::type_index, std::string>, std::shared_ptr<const void>> pieces_;
};

}  // namespace actio
