#include <algorithm>
#include <string>

#include "papers/paper.hpp"
#include "papers/published.hpp"

namespace actio {

const std::vector<paper>& paper_catalogue() {
  static const std::vector<paper> catalogue = {
      {"marsden1997", published_marsden1997, papers::reproduce_marsden1997},
      {"dubois2023", published_dubois2023, papers::reproduce_dubois2023},
      {"rojas2024", published_rojas2024, papers::reproduce_rojas2024},
      {"rojas2025", published_rojas2025, papers::reproduce_rojas2025},
  };
  return catalogue;
}

const paper& paper_named(const source_text& key) {
  const auto& catalogue = paper_catalogue();
  const auto found = std::ranges::find(catalogue, key.text, &paper::key);
  if (found != catalogue.end()) return *found;
  std::vector<std::string> keys = {"all"};
  for (const paper& p : catalogue) keys.emplace_back(p.key);
  throw input_error("unknown-paper", "there is no paper '" + key.text + "'", key.origin, suggest(key.text, keys));
}

}  // namespace actio
