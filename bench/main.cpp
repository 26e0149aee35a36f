// Runs the contests that are named on the command line, or all; leaves summary.json and index.html in a folder.
//   actio_bench [--output FOLDER] [--quick] [--trajectories N] [CONTEST…]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/contests.hpp"
#include "common/studies.hpp"
#include "common/write.hpp"
#include "double_pendulum_64_digits/many_digits.hpp"
#include "ensemble/ensemble.hpp"

namespace {

using namespace actio::bench;

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

std::vector<std::string> left_out() {
  std::vector<std::string> lines;
#ifndef ACTIO_BENCH_SUNDIALS
  lines.push_back("SUNDIALS is not there (libsundials-dev): left out.");
#endif
#if !defined(ACTIO_BENCH_SLEEF) || !defined(__x86_64__)
  lines.push_back("SLEEF is not there (libsleef-dev): the hand-written Gauss method is left out.");
#endif
  if (std::system("/usr/bin/python3 -c 'import scipy.integrate' 2>/dev/null") != 0) {
    lines.push_back("SciPy is not there (python3-scipy): left out.");
  }
  if (std::system("/usr/bin/python3 -c 'import mpmath, gmpy2' 2>/dev/null") != 0) {
    lines.push_back("mpmath with gmpy2 is not there (python3-mpmath, python3-gmpy2): left out.");
  }
  return lines;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

int run(const std::vector<std::string>& arguments) {
  std::filesystem::path folder = ".";
  std::vector<std::string> wanted;
  effort how_long;
  std::size_t trajectories = 100'000;  // of the ensemble
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--output" && i + 1 < arguments.size()) folder = arguments[++i];
    else if (arguments[i] == "--quick") how_long = {1, 0};
    else if (arguments[i] == "--trajectories" && i + 1 < arguments.size()) trajectories = std::stoul(arguments[++i]);
    else if (arguments[i].starts_with("-"))
      throw std::runtime_error(arguments[i] +
                               " is no option: actio_bench [--quick] [--output DIR] [--trajectories N] [CONTEST ...]");
    else wanted.push_back(arguments[i]);
  }
  struct named_contest {
    std::string name;
    contest (*make)();
  };
  const std::vector<named_contest> contests{{"double-pendulum", double_pendulum_contest},
                                            {"lagrange-top", lagrange_top_contest},
                                            {"kepler", kepler_contest},
                                            {"outer-solar-system", outer_solar_system_contest},
                                            {"three-body", three_body_contest},
                                            {"pleiades", pleiades_contest},
                                            {"eccentric-kepler", eccentric_kepler_contest},
                                            {"arenstorf", arenstorf_contest},
                                            {"pendulum-grid", pendulum_grid_contest}};
  const auto is_wanted = [&](const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  summary s{processor_name(), "g++ " __VERSION__, 0, {}, {}, {}, {}, left_out()};
  double load = 0;
  getloadavg(&load, 1);
  s.load = load;
  for (const std::string& line : s.left_out) fmt::print("{}\n", line);
  for (const named_contest& c : contests) {
    if (!is_wanted(c.name)) continue;
    fmt::print(stderr, "measuring {}\n", c.name);
    s.contests.push_back(measure(c.make(), how_long));
    fmt::print("{}", terminal_text(s.contests.back()));
    std::fflush(stdout);
  }
  if (is_wanted("double-pendulum-64-digits")) {
    s.many_digits.push_back(double_pendulum_64_digits(how_long.rounds == 1));
    fmt::print("{}\n", terminal_text(s.many_digits.back()));
  }
  struct named_study {
    std::string name;
    study (*make)(bool quick);
  };
  for (const named_study& one : std::vector<named_study>{{"energy-walk", energy_walk},
                                                         {"cost-of-coordinates", cost_of_coordinates},
                                                         {"cost-of-order", cost_of_order},
                                                         {"cost-of-size", cost_of_size},
                                                         {"cost-of-pairs", cost_of_pairs},
                                                         {"cost-of-texts", cost_of_texts},
                                                         {"energy-of-size", energy_of_size},
                                                         {"cost-of-links", cost_of_links},
                                                         {"cost-of-bodies", cost_of_bodies},
                                                         {"cost-of-recursions", cost_of_recursions}}) {
    if (!is_wanted(one.name)) continue;
    fmt::print(stderr, "measuring {}\n", one.name);
    s.studies.push_back(one.make(how_long.rounds == 1));
    fmt::print("{}", terminal_text(s.studies.back()));
    std::fflush(stdout);
  }
  if (is_wanted("ensemble")) {
    fmt::print(stderr, "measuring ensemble\n");
    s.ensembles.push_back(ensemble_contest(trajectories, how_long.rounds == 1));
    fmt::print("{}\n", terminal_text(s.ensembles.back()));
  }
  std::filesystem::create_directories(folder);
  write_file(folder / "summary.json", to_json(s));
  write_file(folder / "index.html", to_page(s));
  fmt::print("{}, load {:.1f} at the start; {} and index.html hold everything.\n", s.processor, s.load,
             (folder / "summary.json").string());
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  return run(std::vector<std::string>(arguments + 1, arguments + count));
} catch (const std::exception& error) {
  fmt::print(stderr, "actio_bench: {}\n", error.what());
  return 1;
}
