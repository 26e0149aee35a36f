#include "actio/simulate/ensemble_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace actio {

namespace {

constexpr std::size_t listed_failures = 5;  // in a report

std::string to_text(const ensemble_statistic& s) {
  return fmt::format("mean {:.8g}, deviation {:.3g}, between {:.8g} and {:.8g}", s.mean, s.deviation, s.smallest,
                     s.largest);
}

std::string section_text(const ensemble_report& r) {
  std::string text = fmt::format("{} crossings of {}", r.crossings, r.section);
  if (r.tangencies > 0) text += fmt::format("; {} near-tangencies, not counted", r.tangencies);
  if (r.discontinuities > 0) {
    text += fmt::format("; {} changes of sign without a zero, not counted: it has poles or jumps", r.discontinuities);
  }
  return text;
}

void add_each(std::vector<statistic_sum>& to, const std::vector<statistic_sum>& more) {
  to.resize(std::max(to.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) to[i].add(more[i]);
}

// Where some are beyond what can be squared, nothing less is said of all.
ensemble_statistic of_all(const statistic_sum& sum) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  ensemble_statistic result = sum.result();
  if (sum.beyond() > 0) result.mean = result.deviation = result.largest = infinite;
  return result;
}

}  // namespace

std::string lengths_text(const ensemble_report& r) {
  if (!r.accuracy) return fmt::format("step {:.8g}, {} steps each", r.step, r.steps);
  if (r.done() == 0) return "each with steps of its own";
  return fmt::format("{} to {} steps, {:.4g} on average", r.fewest_steps, r.most_steps,
                     static_cast<double>(r.all_steps) / static_cast<double>(r.done()));
}

std::string accuracy_text(const ensemble_accuracy& a) {
  return fmt::format(
      "{:.2g} for nine tenths: measured on {} trajectories, median {:.1e}, 90 % below {:.1e}, 99 % below {:.1e}, worst "
      "{:.1e}",
      a.asked, a.sample, a.median, a.ninth_decile, a.percentile_99, a.worst);
}

void ensemble_tally::add(const trajectory_result& result, bool has_energy) {
  tangencies += result.tangencies;
  discontinuities += result.discontinuities;
  if (result.status == trajectory_status::done) {
    if (has_energy && !(result.scaled_energy_error < too_large_error)) ++untrusted;
  } else if (first_failures.size() < listed_failures) {
    first_failures.push_back({result.index, result.reason});
  }
}

void ensemble_tally::add(const ensemble_tally& other) {
  untrusted += other.untrusted;
  tangencies += other.tangencies;
  discontinuities += other.discontinuities;
  seconds += other.seconds;
  first_failures.insert(first_failures.end(), other.first_failures.begin(), other.first_failures.end());
  std::ranges::sort(first_failures, {}, &ensemble_failure::index);
  first_failures.resize(std::min(first_failures.size(), listed_failures));
}

bool statistic_sum::add(double x) {
  constexpr double largest_root = 0x1p500;
  if (!(std::abs(x) <= largest_root)) {
    ++beyond_;
    return false;
  }
  smallest_ = count_ == 0 ? x : std::min(smallest_, x);
  largest_ = count_ == 0 ? x : std::max(largest_, x);
  ++count_;
  const double square = x * x;
  sum_.add(x);
  squares_.add(square);
  squares_.add(std::fma(x, x, -square));
  return true;
}

void statistic_sum::add(const statistic_sum& other) {
  beyond_ += other.beyond_;
  if (other.count_ == 0) return;
  smallest_ = count_ == 0 ? other.smallest_ : std::min(smallest_, other.smallest_);
  largest_ = count_ == 0 ? other.largest_ : std::max(largest_, other.largest_);
  count_ += other.count_;
  sum_.add(other.sum_);
  squares_.add(other.squares_);
}

// The deviation is √(Σx²/n − (Σx/n)²), with twice the digits.
ensemble_statistic statistic_sum::result() const {
  if (count_ == 0) return {};
  const double n = static_cast<double>(count_);
  const auto by_count = [&](const exact_sum::parts& sum) {
    const double value = sum.value / n;
    return exact_sum::parts{value, (std::fma(-value, n, sum.value) + sum.remainder) / n};
  };
  const auto [mean, mean_rest] = by_count(sum_.rounded());
  const auto [squares, squares_rest] = by_count(squares_.rounded());
  const double square = mean * mean, square_rest = std::fma(mean, mean, -square) + 2 * mean * mean_rest;
  const double variance = (squares - square) + (squares_rest - square_rest);
  return {mean, std::sqrt(std::max(0.0, variance)), smallest_, largest_};
}

void ensemble_summary::add(const trajectory_result& result, std::size_t crossings) {
  report_.ensemble_tally::add(result, report_.has_energy);
  add_tallied(result, crossings);
}

void ensemble_summary::add_tallied(const trajectory_result& result, std::size_t crossings) {
  ++report_.count;
  ++report_.by_status[static_cast<std::size_t>(result.status)];
  report_.crossings += crossings;
  report_.events += result.events.size();
  if (result.status != trajectory_status::done) return;
  report_.fewest_steps = report_.done() == 1 ? result.steps : std::min(report_.fewest_steps, result.steps);
  report_.most_steps = std::max(report_.most_steps, result.steps);
  report_.all_steps += result.steps;
  position_.resize(result.position.size());
  momentum_.resize(result.momentum.size());
  for (std::size_t i = 0; i < position_.size(); ++i) position_[i].add(result.position[i]);
  for (std::size_t i = 0; i < momentum_.size(); ++i) momentum_[i].add(result.momentum[i]);
  energy_error_.add(result.energy_error);
  lyapunov_.add(result.lyapunov);
}

void ensemble_summary::add(const ensemble_summary& other) {
  const ensemble_report& more = other.report_;
  report_.ensemble_tally::add(more);
  if (more.done() > 0) {
    report_.fewest_steps = report_.done() == 0 ? more.fewest_steps : std::min(report_.fewest_steps, more.fewest_steps);
  }
  report_.most_steps = std::max(report_.most_steps, more.most_steps);
  report_.all_steps += more.all_steps;
  report_.count += more.count;
  for (std::size_t s = 0; s < trajectory_statuses; ++s) report_.by_status[s] += more.by_status[s];
  report_.crossings += more.crossings;
  report_.events += more.events;
  add_each(position_, other.position_);
  add_each(momentum_, other.momentum_);
  energy_error_.add(other.energy_error_);
  lyapunov_.add(other.lyapunov_);
}

void ensemble_summary::finish(bool with_lyapunov) {
  if (report_.done() == 0) return;
  for (const statistic_sum& s : position_) report_.position.push_back(of_all(s));
  for (const statistic_sum& s : momentum_) report_.momentum.push_back(of_all(s));
  report_.energy_error = of_all(energy_error_);
  if (with_lyapunov) report_.lyapunov = of_all(lyapunov_);
}

std::string to_text(trajectory_status status) {
  switch (status) {
    case trajectory_status::done: return "done";
    case trajectory_status::no_convergence: return "the equations could not be solved";
    case trajectory_status::singular: return "the equations are singular";
    case trajectory_status::left_domain: return "left the domain of the model";
    case trajectory_status::too_long: return "the step is too long";
    case trajectory_status::mass_singular: return "the mass matrix becomes singular";
    case trajectory_status::inaccurate: return "less accurate than was asked";
    case trajectory_status::bad_start: break;
  }
  return "the start was refused";
}

std::string to_text(const ensemble_report& r) {
  std::string text = fmt::format("{}: {} trajectories, {}, {}\n", r.model, r.count, r.method, lengths_text(r));
  if (r.part) {
    const trajectory_range range = range_of(*r.part, r.whole);
    text += fmt::format("  part          {} of {}: {} of {} trajectories{}; what follows is of these alone\n",
                        r.part->number, r.part->parts, range.size(), r.whole,
                        range.size() == 0 ? "" : ", " + to_text(std::span(&range, 1)));
  }
  text += fmt::format("  done          {}\n  failed        {}\n", r.done(), r.failed());
  for (const ensemble_failure& f : r.first_failures) text += fmt::format("    {:<11} {}\n", f.index, f.reason);
  if (r.failed() > r.first_failures.size()) text += "    …\n";
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("  {:<13} {}\n", name, value);
  };
  for (std::size_t i = 0; i < r.position.size(); ++i) line(r.coordinates[i], to_text(r.position[i]));
  for (std::size_t i = 0; i < r.momentum.size(); ++i) line("p_" + r.coordinates[i], to_text(r.momentum[i]));
  if (r.has_energy && r.done() > 0) {
    line("energy",
         fmt::format("relative error {:.3g} on average, {:.3g} at most", r.energy_error.mean, r.energy_error.largest));
  }
  if (r.accuracy) {
    line("accuracy", accuracy_text(*r.accuracy));
    line("", r.accuracy->reason);
  }
  if (r.untrusted > 0) {
    line("not trusted",
         fmt::format("{}: they lose more than a tenth of their energy; try a shorter step", r.untrusted));
  }
  if (r.lyapunov) line("Lyapunov", to_text(*r.lyapunov));
  if (!r.section.empty()) line("section", section_text(r));
  if (r.watches_events) line("events", fmt::format("{} in all", r.events));
  const double steps = static_cast<double>(r.all_steps);
  text += fmt::format("  time          {:.3g} s stepping, {:.3g} s setting up, {:.3g} steps per second, {}\n",
                      r.seconds, r.setup_seconds, r.seconds > 0 ? steps / r.seconds : 0, r.engine);
  if (r.interrupted) text += fmt::format("  status        interrupted: {} of {} trajectories\n", r.count, r.planned);
  return text;
}

}  // namespace actio
