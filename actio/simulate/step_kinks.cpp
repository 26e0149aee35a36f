#include "actio/simulate/step_kinks.hpp"

#include <fmt/format.h>

#include "actio/base/option_naming.hpp"
#include "actio/mechanics/held_system.hpp"
#include "actio/mechanics/switching.hpp"

namespace actio {

namespace {

constexpr std::size_t most_kinks = 64, most_times = 100'000;

}  // namespace

bool splits_at_kinks(const option_values& options) {
  const source_text typed = *options.find("kinks");
  if (typed.text == "split" || typed.text == "ignore") return typed.text == "split";
  throw input_error("unknown-option-value", fmt::format("'{}' is nothing that steps do at kinks", typed.text),
                    whole_place(typed), "give split or ignore");
}

std::vector<model_event> watched_events(const model& m, bool splits, bool chooses_steps) {
  std::vector<model_event> events = m.events;
  if (!splits) return events;
  const std::vector<switching_value> kinks = switching_values(m.system);
  if (kinks.size() > most_kinks) return events;
  for (const switching_value& kink : kinks) {
    if (chooses_steps && !(m.system.has_lagrangian() && held(m.system, kink.value, 1))) continue;
    model_event event;
    event.name = kink.text;
    event.when = kink.value;
    event.ends_step = true;
    events.push_back(std::move(event));
  }
  return events;
}

motion_instants instants_of(const model& m, bool splits, bool chooses_steps) {
  motion_instants all{watched_events(m, splits, chooses_steps), m.controls};
  std::erase_if(all.watched, [](const model_event& event) { return event.only_records(); });
  return all;
}

template <class S>
std::vector<S> kink_times_of(const integrator<S>& flow) {
  std::vector<S> times;
  for (const switching_times& signal : switching_times_of(flow.space().system())) {
    const bool is_noticed = static_cast<int>(signal.continuous_derivatives) + 2 < flow.method().traits.order ||
                            signal.continuous_derivatives == 0;
    if (!(signal.argument == time_symbol()) || !is_noticed || signal.times.size() > most_times) continue;
    for (const rational& t : signal.times) times.push_back(from_rational<S>(t));
  }
  return times;
}

#define ACTIO_INSTANTIATE(S) template std::vector<S> kink_times_of<S>(const integrator<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
