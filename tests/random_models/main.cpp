// Random models, as many as wanted: `make random-models`.
//   random_models COUNT [FIRST_SEED [FOLDER [all]]]     models of what is wrong, or of all, stay in the folder
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/random_models/examination.hpp"

using namespace actio::random_models;

int main(int count, char** words) {
  const std::uint64_t models = count > 1 ? std::stoull(words[1]) : 500, first = count > 2 ? std::stoull(words[2]) : 1;
  const std::filesystem::path folder = count > 3 ? words[3] : "random_models";
  std::filesystem::create_directories(folder);
  std::map<std::string, int> outcomes;
  const bool everything = count > 4;
  int wrong = 0;
  for (std::uint64_t seed = first; seed < first + models; ++seed) {
    const random_model m = make_random_model(seed);
    const std::string path = (folder / fmt::format("random-{}.toml", seed)).string();
    const examination result = examine(m, path);
    ++outcomes[name_of(result.outcome)];
    if (everything || result.outcome == verdict::wrong || result.outcome == verdict::far_off) {
      fmt::print("{}: {}: {} (actio run {} --backend {})\n", seed, name_of(result.outcome), result.reason, path,
                 m.backend);
      wrong += result.outcome == verdict::wrong;
      if (result.outcome == verdict::failed || result.outcome == verdict::refused) {
        const reference truth = reference_motion(m);
        fmt::print("  by the reference {}\n",
                   !truth.starts   ? "there is no motion"
                   : truth.arrives ? "the motion goes on to the end"
                                   : fmt::format("it ends at t = {:.6g}", static_cast<double>(truth.time)));
      }
    } else {
      std::filesystem::remove(path);
    }
  }
  for (const auto& [name, number] : outcomes) fmt::print("{:<10} {}\n", name, number);
  return wrong == 0 ? 0 : 1;
}
