// What is said where an accuracy was not reached.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "actio/analysis/choice.hpp"
#include "actio/analysis/confirmation.hpp"

namespace actio {

template <class S>
std::string precision_name() {
  if constexpr (std::same_as<S, double>) return "double";
  else if constexpr (std::same_as<S, quad>) return "quad";
  else return fmt::format("{} digits", digits_in_use());
}

// What was reached, and why not more.
template <class S>
std::string reached_text(const confirmation& c, const S& until) {
  const std::string step = to_brief(S(until / S(static_cast<double>(c.steps))), 4);
  if (!std::isfinite(c.error)) {
    return fmt::format("with {} steps of {} the motion is lost at t = {:.4g}", c.steps, step, c.lost_at);
  }
  return fmt::format("an error of {:.1e} was reached, with {} steps of {}", c.error, c.steps, step);
}

template <class S>
std::string more_digits() {
  if constexpr (std::same_as<S, double>) return "@precision=quad";
  else if constexpr (std::same_as<S, quad>) return "@precision=50";
  else return fmt::format("@precision={}", 2 * digits_in_use());
}

// An accuracy that can be had where such an error was measured.
inline std::string within_reach(double error) {
  return fmt::format("@accuracy={:.0e}", std::pow(10, std::ceil(std::log10(3 * error))));
}

// What to do where kinks keep an accuracy from being measured: steps of one length end at them, so that little is lost.
inline constexpr const char* cure_for_kinks =
    "give @method and @step: such steps end at kinks and jumps, and the certificate says how accurate they are";

// Where steps chosen one by one are off by `error` at the end, as accurate as they are.
template <class S>
[[noreturn]] void refuse_unsettled(const lagrangian_system& system, double accuracy, double error,
                                   const source_place& place) {
  const bool has_kinks = !is_smooth(system);
  const std::string within = error < 0.1 ? "ask for " + within_reach(error) + " or more, or " : std::string();
  throw input_error("accuracy-unreachable",
                    fmt::format("an error of {:.1e} at the end was not reached in {} precision: steps chosen one by "
                                "one are off by {:.1e} there; {}",
                                accuracy, precision_name<S>(), error,
                                has_kinks ? "they go over the kinks of the model" : "rounding allows no less"),
                    place, within + (has_kinks ? cure_for_kinks : "take more digits with " + more_digits<S>()));
}

template <class S>
[[noreturn]] void refuse(const accuracy_request<S>& request, const confirmation& c) {
  const std::string more = more_digits<S>();
  std::string why, cure;
  switch (c.met) {
    case obstacle::chaos:
      why = fmt::format("the motion is chaotic: errors grow e-fold in {:.2g}", c.growth_time);
      cure = "run up to an earlier time, or take more digits with " + more;
      break;
    case obstacle::instability:
      why = fmt::format("the motion is unstable: errors grow e-fold in {:.2g}", c.growth_time);
      cure = "run up to an earlier time, or take more digits with " + more;
      break;
    case obstacle::kink:
      why = fmt::format("errors fall like the step to the power {:.2g} only: {}", c.observed_order,
                        c.is_smooth ? "the motion meets a kink, or something as narrow" : "the model is not smooth");
      cure = "smooth the kink (sqrt(x^2 + e^2) for abs(x))";
      break;
    case obstacle::cost:
      why = "more steps would take too long: the motion is too uneven for steps of one length";
      cure = "run up to an earlier time, or give @method and @step";
      break;
    case obstacle::rounding:
    case obstacle::none:
      why = "rounding allows no less";
      cure = "take more digits with " + more;
      break;
  }
  if (!c.failure.empty()) {
    why = c.failure;
    cure = "run up to an earlier time, or mend the model where that happens";
  }
  if (c.error < 0.1) {
    cure = "ask for " + within_reach(c.error) + " or more, or " + cure;
  }
  throw input_error("accuracy-unreachable",
                    fmt::format("an error of {:.1e} at the end was not reached in {} precision: {}; {}",
                                request.accuracy, precision_name<S>(), reached_text(c, request.until), why),
                    request.place, cure);
}

}  // namespace actio
