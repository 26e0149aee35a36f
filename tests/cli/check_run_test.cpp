// `actio check` reads [run] as a run would.
#include <gtest/gtest.h>

#include "actio/base/scalar.hpp"
#include "tests/cli/program.hpp"

namespace actio::testing {
namespace {

const std::string model = R"toml(coordinates = ["q"]
lagrangian = "1/2*q'^2 - 1/2*q^2"
[initial.position]
q = 1
[initial.velocity]
q = 0
[run]
)toml";

TEST(check_command, refuses_nonsense_in_run_with_its_place) {
  temporary_folder folder;
  const std::pair<const char*, const char*> wrong[] = {
      {"step = -0.01", "the step is -0.01"},
      {"step = 0", "the step is 0"},
      {"step = 0.1\nsteps = -3", "'-3' is no count"},
      {"steps = -3", "'-3' is no count"},
      {"until = \"exp(1000)\"", "the time 'exp(1000)' is inf"},
      {"every = 0", "'0' is no count"},
      {"accuracy = 2\nuntil = 1", "the accuracy is '2'"},
      {"method = \"simpsn\"", "did you mean 'simpson'?"},
      {"precision = \"dobule\"", "'dobule' is no precision"},
      {"precision = 5", "'5' is no precision"},
      {"backend = \"gpu\"", "'gpu' is no backend"},
      {"state = \"speed\"", "'speed' is no kind of state"},
      {"formulation = \"free\"", "'free' is no formulation"},
      {"step = 0.1\nuntil = 1e300", "the run would have"},
      {"until = 1\nsteps = 2", "both the time to reach (until) and the number of steps"},
      {"method = \"verlet\"\nstep = 3", "the step 3 is too long"},
  };
  for (const auto& [lines, message] : wrong) {
    const outcome result = actio_program({"check", folder.write("m.toml", model + lines + "\n")});
    EXPECT_EQ(result.status, 2) << lines;
    EXPECT_NE(result.err.find(message), std::string::npos) << lines << ": " << result.err;
    EXPECT_NE(result.err.find("m.toml:"), std::string::npos) << lines << ": " << result.err;
  }
  for (const char* right :
       {"", "step = 0.1", "until = 3", "accuracy = 1e-6\nuntil = 1", "method = \"auto\"\nuntil = 2",
        has_mpfr ? "step = \"pi/100\"\nsteps = 1e3\nprecision = 30\nevery = 2" : "precision = \"quad\""}) {
    const outcome result = actio_program({"check", folder.write("m.toml", model + right + "\n")});
    EXPECT_EQ(result.status, 0) << right << ": " << result.err;
  }
}

}  // namespace
}  // namespace actio::testing
