#include "actio/program/program.hpp"

#include <fmt/format.h>

#include "actio/program/program_builder.hpp"

namespace actio {

namespace {

std::string to_text(const instruction& i) {
  if (i.op == operation::negate) return fmt::format("r{} = -r{}\n", i.target, i.left);
  if (operand_count(i.op) == 1) return fmt::format("r{} = {} r{}\n", i.target, name_of(i.op), i.left);
  if (const char first = name_of(i.op).front(); first >= 'a' && first <= 'z') {
    return fmt::format("r{} = {} r{} r{}\n", i.target, name_of(i.op), i.left, i.right);
  }
  return fmt::format("r{} = r{} {} r{}\n", i.target, i.left, name_of(i.op), i.right);
}

std::string register_range(std::string_view role, std::size_t first, std::size_t count) {
  std::string line(role);
  for (std::size_t i = 0; i < count; ++i) line += fmt::format(" r{}", first + i);
  return line + "\n";
}

}  // namespace

program lower(std::span<const expr> outputs, std::span<const expr> parameters, std::span<const expr> variables) {
  program_builder builder(parameters.size(), variables.size());
  expr_map<program_builder::value> symbols;
  for (std::size_t k = 0; k < parameters.size(); ++k) symbols.emplace(parameters[k], builder.parameter(k));
  for (std::size_t k = 0; k < variables.size(); ++k) symbols.emplace(variables[k], builder.variable(k));
  return builder.finish(builder.evaluate(outputs, symbols));
}

std::string to_text(const program& p) {
  std::string text = register_range("parameters", 0, p.parameters);
  text += register_range("variables", p.parameters, p.variables);
  for (const program::constant& c : p.constants) text += fmt::format("r{} = {}\n", c.target, c.value.str());
  for (const std::uint32_t r : p.pi_registers) text += fmt::format("r{} = pi\n", r);
  text += "setup\n";
  for (const instruction& i : p.setup) text += to_text(i);
  text += "body\n";
  for (const instruction& i : p.body) text += to_text(i);
  text += "outputs";
  for (const std::uint32_t r : p.outputs) text += fmt::format(" r{}", r);
  return text + "\n";
}

}  // namespace actio
