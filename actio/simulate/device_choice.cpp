#include "actio/simulate/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "actio/base/option_naming.hpp"
#include "actio/base/parallel.hpp"
#include "actio/device/gpu.hpp"

namespace actio {

device_choice device_from(const source_text& typed) {
  device_choice choice{.place = whole_place(typed)};
  const std::string_view text = typed.text;
  if (text == "cpu") return choice;
  choice.uses_gpus = true;
  if (text == "gpu") return choice;
  bool is_good = text.starts_with("gpu:");
  for (std::size_t at = 4; is_good && at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    int number = -1;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + comma, number);
    is_good = error == std::errc() && end == text.data() + comma && number >= 0 &&
              std::ranges::find(choice.numbers, number) == choice.numbers.end();
    choice.numbers.push_back(number);
    at = comma + 1;
  }
  if (is_good) return choice;
  throw input_error("unknown-option-value", fmt::format("'{}' is no device", typed.text), choice.place,
                    "give cpu, gpu for all GPUs, gpu:K or gpu:K,L for some, or list to see what there is");
}

std::vector<int> usable_gpus() {
  std::vector<int> numbers;
  for (const device::gpu_properties& gpu : device::known_gpus()) {
    if (gpu.capability >= device::oldest_capability) numbers.push_back(gpu.number);
  }
  return numbers;
}

std::string device_list() {
  std::string text = fmt::format("cpu: {} threads\n", available_threads());
  try {
    for (const device::gpu_properties& gpu : device::known_gpus()) {
      text += fmt::format("gpu:{}: {}{}\n", gpu.number, to_text(gpu),
                          gpu.capability < device::oldest_capability ? ", too old" : "");
    }
  } catch (const input_error& error) {
    text += fmt::format("no GPU: {}\n", error.message());
  }
  return text;
}

}  // namespace actio
