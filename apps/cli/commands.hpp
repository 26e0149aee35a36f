// The commands of the program; each returns its exit status and throws input_error for wrong input.
#pragma once

#include <vector>

#include "apps/cli/command_line.hpp"

namespace actio::cli {

enum exit_status { exit_done = 0, exit_numbers_failed = 1, exit_input_wrong = 2 };

int run_command(const command_input& input);
int compare_command(const command_input& input);
int ensemble_command(const command_input& input);
int join_command(const command_input& input);
int exact_command(const command_input& input);
int check_command(const command_input& input);
int verify_command(const command_input& input);
int reproduce_command(const command_input& input);
int methods_command(const command_input& input);
int problems_command(const command_input& input);
int show_command(const command_input& input);
int explain_command(const command_input& input);

const std::vector<command>& command_catalogue();
const command* find_command(std::string_view name);

}  // namespace actio::cli
