// The kept inputs of the fuzz targets, and what simple mutations make of them, through the targets' own entry
// functions.
//
// Mutations are drawn from a generator of fixed seed: the same inputs in every run. `make fuzz` searches further.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <random>

#include "tests/cli/program.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" {
int fuzz_expression(const std::uint8_t* data, std::size_t size);
int fuzz_model(const std::uint8_t* data, std::size_t size);
int fuzz_checkpoint(const std::uint8_t* data, std::size_t size);
int fuzz_trajectory(const std::uint8_t* data, std::size_t size);
}

namespace actio {
namespace {

using target = int (*)(const std::uint8_t*, std::size_t);

std::vector<std::filesystem::path> corpus(const std::string& name) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ACTIO_SOURCE_DIR "/tests/fuzz/corpus/" + name)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// The words in quotes of libFuzzer's dictionary, as they stand there.
std::vector<std::string> dictionary() {
  std::vector<std::string> words;
  for (const std::string& line : testing::lines_of(testing::contents(ACTIO_SOURCE_DIR "/tests/fuzz/words.dict"))) {
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (line.starts_with('#') || open == close) continue;
    words.push_back(line.substr(open + 1, close - open - 1));
  }
  return words;
}

class mutator {
 public:
  mutator(std::vector<std::string> words, std::vector<std::string> inputs)
      : words_(std::move(words)), inputs_(std::move(inputs)) {}

  // `text` after one to three changes.
  std::string operator()(std::string text) {
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }  // std distributions differ between libraries

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1), length = below(text.size() - at + 1);
    switch (below(6)) {
      case 0: text.erase(at); break;
      case 1: text.erase(at, std::min<std::size_t>(length, 16)); break;
      case 2: text.insert(at, words_[below(words_.size())]); break;
      case 3: text.insert(at, text.substr(at, length)); break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      default: {
        const std::string& other = inputs_[below(inputs_.size())];
        text = text.substr(0, at) + other.substr(below(other.size() + 1));
      }
    }
  }

  std::vector<std::string> words_, inputs_;
  std::mt19937_64 random_{1};
};

void feed(target run, const std::string& text, const std::string& origin) {
  try {
    run(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\nfrom " << origin << ", " << text.size() << " bytes:\n" << text;
  }
}

void replay(target run, const std::string& name, std::size_t mutations) {
  fuzz::patience = std::numeric_limits<double>::infinity();
  const auto files = corpus(name);
  ASSERT_FALSE(files.empty());
  std::vector<std::string> inputs;
  for (const auto& file : files) inputs.push_back(testing::contents(file));
  mutator mutated(dictionary(), inputs);
  constexpr std::size_t longest = 4096;  // as in `make fuzz`
  for (std::size_t k = 0; k < files.size(); ++k) {
    feed(run, inputs[k], files[k].string());
    for (std::size_t m = 0; m < mutations; ++m) {
      feed(run, mutated(inputs[k]).substr(0, longest), "a mutation of " + files[k].string());
    }
  }
}

TEST(fuzz_replay, expressions) { replay(fuzz_expression, "expression", 400); }
TEST(fuzz_replay, models) { replay(fuzz_model, "model", 400); }
TEST(fuzz_replay, checkpoints) { replay(fuzz_checkpoint, "checkpoint", 200); }
#ifdef ACTIO_WITH_HDF5
TEST(fuzz_replay, trajectories) { replay(fuzz_trajectory, "trajectory", 100); }
#endif

}  // namespace
}  // namespace actio
