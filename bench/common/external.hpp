// Competitors that are programs of their own: Python scripts that measure themselves.
#pragma once

#include <optional>
#include <string>

#include "common/contest.hpp"

namespace actio::bench {

// What a script in this folder prints; nothing when it fails, for example because its library is not there.
std::optional<std::string> run_python(const std::string& script, const std::string& arguments);

// A script that is called with its settings and prints, for each, the setting, CPU seconds, steps and the end.
competitor python_competitor(std::string family, std::string name, const std::string& script,
                             std::vector<double> tolerances);

}  // namespace actio::bench
