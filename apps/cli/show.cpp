// actio show: what is inside a trajectory file.
#include <fmt/format.h>

#include "actio/io/trajectory_file.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"

namespace actio::cli {

int show_command(const command_input& input) {
  const std::string& path = input.arguments.front().text;
  const trajectory_file file = trajectory_file::open(path);
  print("{}: {} rows of {} columns\n", path, file.rows(), file.columns().size());
  for (const std::string& name : file.columns()) {
    if (file.rows() == 0) {
      print("  {}\n", name);
      continue;
    }
    print("  {:<16} {} … {}\n", name, file.values(name, 0, 1).front(), file.values(name, file.rows() - 1, 1).front());
  }
  for (const char* part : {"version", "machine", "seed", "options", "set", "certificate", "model"}) {
    if (const std::string text = file.text(part); !text.empty()) {
      print("\n[{}]\n{}{}", part, text, text.ends_with('\n') ? "" : "\n");
    }
  }
  return exit_done;
}

}  // namespace actio::cli
