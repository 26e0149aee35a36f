#include "actio/base/snapshot.hpp"

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

}  // namespace actio
