// A set of named lists of numbers and texts: what a checkpoint holds. Numbers are kept with all their digits.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

// A list that is missing, too short or not made of numbers: the snapshot is not what it claims to be.
class snapshot_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class snapshot {
 public:
  using lists = std::map<std::string, std::vector<std::string>, std::less<>>;

  void put_texts(std::string_view name, std::vector<std::string> values);
  const std::vector<std::string>& texts(std::string_view name) const;
  void put_text(std::string_view name, std::string value) { put_texts(name, {std::move(value)}); }
  const std::string& text(std::string_view name) const;

  template <class S>
  void put(std::string_view name, std::span<const S> values) {
    std::vector<std::string> all;
    all.reserve(values.size());
    for (const S& x : values) all.push_back(to_digits(x));
    put_texts(name, std::move(all));
  }
  template <class S>
  void put(std::string_view name, const std::vector<S>& values) {
    put(name, std::span<const S>(values));
  }
  template <class S>
  std::vector<S> get(std::string_view name) const {
    std::vector<S> values;
    for (const std::string& x : texts(name)) values.push_back(number<S>(name, x));
    return values;
  }
  // The list must have exactly `size` numbers.
  template <class S>
  std::vector<S> get(std::string_view name, std::size_t size) const {
    std::vector<S> values = get<S>(name);
    if (values.size() != size) throw snapshot_error("its '" + std::string(name) + "' has another size");
    return values;
  }

  // Exactly `size` whole numbers from 0 to 2^53.
  std::vector<std::size_t> counts(std::string_view name, std::size_t size) const;

  const lists& all() const { return lists_; }

 private:
  template <class S>
  static S number(std::string_view name, const std::string& text) {
    try {
      const S value = from_digits<S>(text);
      if (is_finite(value)) return value;
    } catch (const std::invalid_argument&) {
    }
    throw snapshot_error("its '" + std::string(name) + "' holds '" + text.substr(0, 40) + "', which is not a number");
  }
  lists lists_;
};

}  // namespace actio
