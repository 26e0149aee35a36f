#include "actio/backend/llvm/collocation_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/backend/interpreter/double_lanes.hpp"
#include "actio/backend/llvm/code_library.hpp"
#include "actio/backend/llvm/collocation_writer.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"

namespace actio::machine_code {

namespace {

// Beyond, code is so long that LLVM takes too long and nothing is gained.
constexpr std::size_t most_products = 160, most_operations = 1500;

class machine_kernel final : public collocation_kernel {
 public:
  machine_kernel(const collocation_code& code, const collocation_rows& rows, std::span<const double> parameters)
      : collocation_kernel(rows), fixed_(fixed_numbers(code.field)) {
    std::copy(parameters.begin(), parameters.end(), fixed_.begin());
    interpreter::run_lanes(1, code.field.setup, fixed_.data());
    std::string what = fmt::format("collocation {} {}", code.coordinates, code.points);
    for (const auto& [row, column] : code.inverse_mass) what += fmt::format(" {},{}", row, column);
    code_ = shared_code(what + '\n' + bytes_of(code.field), [&] { return make_collocation_object(code, rows); });
    entry_ = code_->entry_as<collocation_entry>();
  }

  stage_outcome solve() override {
    return static_cast<stage_outcome>(entry_(fixed_.data(), table_.data(), work_.data(), function_table()));
  }

 private:
  std::vector<double> fixed_;
  std::shared_ptr<const loaded_code> code_;
  collocation_entry entry_;
};

}  // namespace

std::unique_ptr<collocation_kernel> make_kernel(const collocation_code& code, std::span<const double> parameters) {
  const std::size_t components = 2 * code.coordinates;
  if (components * code.points > most_products || code.field.body.size() > most_operations) return nullptr;
  std::size_t lanes = 1;
  while (lanes < code.points) lanes *= 2;
  return std::make_unique<machine_kernel>(code, collocation_rows{components, code.points, lanes}, parameters);
}

}  // namespace actio::machine_code
