// The catalogue of commands. To add one: its file beside this one, its declaration in commands.hpp, and a line here.
#include "apps/cli/commands.hpp"

#include <algorithm>

namespace actio::cli {

const std::vector<command>& command_catalogue() {
  static const std::vector<command> catalogue = {
      {"run", "MODEL", false, "Simulates a model and certifies the motion.", run_command},
      {"compare", "MODEL", false, "Runs several methods with several steps: errors, orders, cost.", compare_command},
      {"ensemble", "MODEL", false, "Runs many trajectories: sweeps and random samples of data and parameters.",
       ensemble_command},
      {"join", "PART", true, "Makes one file of the parts of an ensemble.", join_command},
      {"exact", "MODEL", false, "Prints the exact motion at given times, where it is known.", exact_command},
      {"check", "MODEL", false, "Shows the model as understood: equations, symmetries, initial state.", check_command},
      {"verify", "METHOD", true, "Measures what a method declares; 'all' verifies every method.", verify_command},
      {"reproduce", "[PAPER]", false, "Does a paper again, or all: published numbers beside computed ones.",
       reproduce_command},
      {"methods", "", false, "Lists the methods.", methods_command},
      {"problems", "", false, "Lists the built-in problems.", problems_command},
      {"show", "FILE", false, "Shows what is inside a trajectory file (.h5).", show_command},
      {"explain", "NAME", false,
       "Explains a method, a problem, an option, a command, an error, a paper, a function or a table of models.",
       explain_command},
  };
  return catalogue;
}

const command* find_command(std::string_view name) {
  const auto& catalogue = command_catalogue();
  const auto found = std::ranges::find(catalogue, name, &command::name);
  return found == catalogue.end() ? nullptr : &*found;
}

}  // namespace actio::cli
