#include "actio/base/snapshot.hpp"

#include <cmath>

namespace actio {

void snapshot::put_texts(std::string_view name, std::vector<std::string> values) {
  lists_.insert_or_assign(std::string(name), std::move(values));
}

const std::vector<std::string>& snapshot::texts(std::string_view name) const {
  const auto found = lists_.find(name);
  if (found == lists_.end()) throw snapshot_error("it has no '" + std::string(name) + "'");
  return found->second;
}

const std::string& snapshot::text(std::string_view name) const {
  const std::vector<std::string>& values = texts(name);
  if (values.size() != 1) throw snapshot_error("its '" + std::string(name) + "' is not one value");
  return values.front();
}

std::vector<std::size_t> snapshot::counts(std::string_view name, std::size_t size) const {
  constexpr double most = 9007199254740992.0;  // beyond, doubles are not all the whole numbers
  std::vector<std::size_t> result;
  for (const double x : get<double>(name, size)) {
    if (!(x >= 0 && x <= most && x == std::floor(x))) {
      throw snapshot_error("its '" + std::string(name) + "' holds " + to_digits(x) + ", which is not a count");
    }
    result.push_back(static_cast<std::size_t>(x));
  }
  return result;
}

}  // namespace actio
