#include "common/external.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>

namespace actio::bench {

std::optional<std::string> run_python(const std::string& script, const std::string& arguments) {
  // Debian's Python, because the libraries come from Debian.
  const std::string command = "/usr/bin/python3 " ACTIO_BENCH_DIR "/" + script + " " + arguments + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return std::nullopt;
  std::string text;
  char buffer[4096];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  if (pclose(pipe) != 0) return std::nullopt;
  return text;
}

competitor python_competitor(std::string family, std::string name, const std::string& script,
                             std::vector<double> tolerances) {
  competitor c{std::move(family), std::move(name), "tolerance", std::move(tolerances), {}};
  c.measure_elsewhere = [script](const std::vector<double>& settings) {
    std::string arguments;
    for (const double setting : settings) arguments += fmt::format("{:.3e} ", setting);
    std::vector<measured_attempt> measured;
    std::istringstream lines(run_python(script, arguments).value_or(""));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      measured_attempt m;
      fields >> m.setting >> m.seconds >> m.result.steps;
      for (double x; fields >> x;) m.result.end.push_back(x);
      measured.push_back(std::move(m));
    }
    return measured;
  };
  return c;
}

}  // namespace actio::bench
