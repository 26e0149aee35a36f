// A run that is interrupted and goes on: its file is, byte for byte, that of a run that nobody interrupted.
#include <actio/actio.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace actio;
namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int main() {
  const model pendulum = model_builder("spherical pendulum")
                             .coordinates({"theta", "phi"})
                             .lagrangian("(theta'^2 + sin(theta)^2*phi'^2)/2 + cos(theta)")
                             .initial_position({1, 0})
                             .initial_velocity({0, 0.8})
                             .option("method", "simpson")
                             .option("step", 0.05)
                             .option("until", 50)
                             .build();
  const fs::path folder = fs::temp_directory_path() / "actio_example_files";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path whole = folder / "whole.csv", parts = folder / "parts.csv", page = folder / "page.html";

  simulation_options options;
  options.given = typed_options({{"output", whole.string()}, {"report", page.string()}});
  const simulation_result uninterrupted = simulate(pendulum, options);
  std::printf("%zu steps, a report of %ju bytes\n", uninterrupted.steps, std::uintmax_t{fs::file_size(page)});

  options.given = typed_options({{"output", parts.string()}});
  options.proceed = [](std::size_t step, std::size_t, double) { return step < 321; };
  const simulation_result first = simulate(pendulum, options);
  std::printf("interrupted after %zu steps, %s\n", first.steps, first.can_resume ? "can go on" : "cannot go on");

  options.proceed = nullptr;
  options.resumes = true;
  const simulation_result second = simulate(pendulum, options);
  const bool same = contents(whole) == contents(parts) && second.status == run_status::done;
  std::printf("resumed to step %zu: the files are %s\n", second.steps, same ? "the same" : "different");
  fs::remove_all(folder);
  return same && first.can_resume ? 0 : 1;
}
