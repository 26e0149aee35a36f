#include "papers/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "actio/base/parallel.hpp"

namespace actio {

namespace {

thread_local double told_of_task = 0;  // the part of the running task's cost that was told as progress

verdict verdict_of(const judgement& judged, verdict yes, verdict no) {
  if (!judged.is_computed) return verdict::not_reproducible;
  return judged.holds ? yes : no;
}

}  // namespace

reproduction::reproduction(const paper& p, const reproduction_options& options)
    : options_(options), published_(read_published(p.published())) {
  report_.key = std::string(p.key);
  report_.title = published_.title;
  report_.authors = published_.authors;
  report_.reference = fmt::format("{} ({})", published_.authors, published_.year);
  report_.summary = published_.summary;
  report_.command = fmt::format("actio reproduce {}{}", p.key, options.quick ? " --quick" : "");
  for (const published_table& table : published_.tables) {
    paper_table& shown = report_.tables.emplace_back();
    shown.id = table.id;
    shown.title = table.title;
    shown.caption = table.caption;
    shown.row_heads = table.row_heads;
    shown.columns = table.columns;
    shown.rule = rule_of_cells();
    for (const published_row& row : table.rows) {
      auto& shown_row = shown.rows.emplace_back();
      shown_row.heads = row.heads;
      for (const published_cell& cell : row.cells) {
        shown_row.cells.push_back({cell.value, "", to_text(verdict::left_out), ""});
      }
    }
  }
}

void reproduction::task(double cost, std::function<void()> work) { tasks_.push_back({cost, std::move(work)}); }

void reproduction::work() {
  std::ranges::stable_sort(tasks_, std::greater<>(), &pending::cost);
  meter_.done = meter_.all = 0;
  for (const pending& p : tasks_) meter_.all += p.cost;
  in_parallel(tasks_.size(), options_.threads, [&](std::size_t k) {
    told_of_task = 0;
    tasks_[k].work();
    progressed(tasks_[k].cost - told_of_task);
  });
  tasks_.clear();
}

void reproduction::progressed(double cost) {
  told_of_task += cost;
  const std::scoped_lock lock(meter_.mutex);
  meter_.done += cost;
  if (options_.progress && meter_.all > 0) options_.progress(meter_.done / meter_.all);
  if (options_.interrupted && options_.interrupted()) throw reproduction_interrupted();
}

void reproduction::row(std::string_view table, const std::vector<std::string>& heads,
                       const std::vector<double>& values) {
  const auto t = std::ranges::find(published_.tables, table, &published_table::id);
  ACTIO_ASSERT(t != published_.tables.end());
  const auto r = std::ranges::find(t->rows, heads, &published_row::heads);
  ACTIO_ASSERT(r != t->rows.end() && r->cells.size() == values.size());
  auto& shown = report_.tables[static_cast<std::size_t>(t - published_.tables.begin())]
                    .rows[static_cast<std::size_t>(r - t->rows.begin())];
  for (std::size_t k = 0; k < values.size(); ++k) {
    const published_cell& printed = r->cells[k];
    const verdict v = judge(printed, values[k], t->columns[k] == "order");
    std::string note;
    if (v == verdict::misprint) note = printed.misprint;
    if (v == verdict::unreliable_digits) note = printed.unreliable;
    if (v == verdict::not_reproducible) note = "the run failed";
    if (v == verdict::close) note = fmt::format("within {:g}, its sign apart", order_tolerance);
    shown.cells[k] = {printed.value, six_digits(values[k]), to_text(v), note};
  }
}

void reproduction::claim(std::string text, std::string published, std::string seen, verdict v, const std::string& rule,
                         std::string note) {
  report_.claims.push_back({std::move(text), std::move(published), std::move(seen), to_text(v), std::move(note), rule});
}

void reproduction::number(std::string statement, std::string published, double value, std::string note) {
  const verdict v = judge({published}, value, false);
  // Three digits more than printed, where six do not show them.
  const auto digits = static_cast<int>(std::ranges::count_if(published, [](char c) { return c >= '0' && c <= '9'; }));
  const std::string seen =
      digits < 6 || !std::isfinite(value) ? six_digits(value) : fmt::format("{:#.{}g}", value, digits + 3);
  claim(std::move(statement), std::move(published), seen, v, "the printed digits", std::move(note));
}

void reproduction::close(std::string statement, std::string published, std::string seen, const judgement& judged,
                         std::string note) {
  claim(std::move(statement), std::move(published), std::move(seen),
        verdict_of(judged, verdict::close, verdict::disagrees), judged.rule, std::move(note));
}

void reproduction::statement(std::string text, std::string published, std::string seen, const judgement& judged,
                             std::string note) {
  claim(std::move(text), std::move(published), std::move(seen),
        verdict_of(judged, verdict::holds, verdict::does_not_hold), judged.rule, std::move(note));
}

void reproduction::statement_in_part(std::string text, std::string published, std::string seen, const judgement& part,
                                     const judgement& rest, std::string note) {
  const verdict within_part = verdict_of(rest, verdict::holds, verdict::holds_in_part);
  claim(std::move(text), std::move(published), std::move(seen), verdict_of(part, within_part, verdict::does_not_hold),
        fmt::format("in part: {}; in full: {}", part.rule, rest.rule), std::move(note));
}

void reproduction::misprint(std::string text, std::string published, std::string seen, const judgement& refuted,
                            std::string note) {
  claim(std::move(text), std::move(published), std::move(seen),
        verdict_of(refuted, verdict::misprint, verdict::disagrees), refuted.rule, std::move(note));
}

void reproduction::result(std::string what, std::string seen, std::string note) {
  report_.claims.push_back({std::move(what), "", std::move(seen), "computed here", std::move(note), ""});
}

paper_report reproduction::finished() {
  // The paper's own figures first, in their order; those of claims after them.
  std::ranges::stable_partition(report_.figures, [](const figure& f) { return !f.id.starts_with("claim-"); });
  number_looks(report_.figures);
  return std::move(report_);
}

paper_report reproduce(const paper& p, const reproduction_options& options) {
  const auto start = std::chrono::steady_clock::now();
  reproduction r(p, options);
  p.reproduce(r);
  paper_report report = r.finished();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

bool has_disagreement(const paper_report& report) {
  const auto is_bad = [](const std::string& text) {
    const auto is_named = [&](verdict v) { return is_failure(v) && text == to_text(v); };
    return std::ranges::any_of(all_verdicts, is_named);
  };
  for (const paper_table& table : report.tables) {
    for (const auto& row : table.rows) {
      if (std::ranges::any_of(row.cells, is_bad, &table_cell::verdict)) return true;
    }
  }
  return std::ranges::any_of(report.claims, is_bad, &paper_claim::verdict);
}

std::string six_digits(double value) {
  if (!std::isfinite(value)) return "–";
  const double size = std::abs(value);
  if (size == 0 || (size >= 0.1 && size < 1000)) return fmt::format("{:#.6g}", value);
  std::string text = fmt::format("{:.5e}", value);  // 1.23456e-07, printed as 1.23456e-7
  const std::size_t sign = text.find('e') + 1;
  if (text[sign] == '+') text.erase(sign, 1);
  const std::size_t zero = text.find_first_of("0123456789", sign);
  if (text[zero] == '0' && zero + 1 < text.size()) text.erase(zero, 1);
  return text;
}

std::string two_digits(double size) { return size == 0 ? "0" : fmt::format("{:.1e}", size); }

curve recording::position(std::size_t i, std::string name, curve_style style) const {
  return {std::move(name), style, t, q[i]};
}

curve recording::momentum(std::size_t i, std::string name, curve_style style) const {
  return {std::move(name), style, t, p[i]};
}

namespace {

class recorder final : public observer<double> {
 public:
  recorder(recording& to, std::size_t every, std::size_t last) : to_(to), every_(every), last_(last) {}

  void observe(const sample<double>& now) override {
    if (now.state.index == 0) start(now);
    if (now.state.index % every_ != 0 && now.state.index != last_) return;
    to_.t.push_back(now.state.time);
    for (std::size_t i = 0; i < to_.q.size(); ++i) to_.q[i].push_back(now.state.position[i]);
    for (std::size_t i = 0; i < to_.p.size(); ++i) to_.p[i].push_back(now.state.momentum[i]);
    if (now.point.space().has_energy()) {
      to_.energy_error.push_back((now.point.energy() - to_.initial_energy) / to_.initial_energy);
    }
    for (std::size_t i = 0; i < to_.momentum_error.size(); ++i) {
      to_.momentum_error[i].push_back((now.point.momenta()[i] - momenta_[i]) / momenta_[i]);
    }
  }

 private:
  void start(const sample<double>& now) {
    to_.q.resize(now.state.position.size());
    to_.p.resize(now.state.momentum.size());
    if (now.point.space().has_energy()) to_.initial_energy = now.point.energy();
    momenta_.assign(now.point.momenta().begin(), now.point.momenta().end());
    to_.momentum_error.resize(momenta_.size());
  }

  recording& to_;
  std::size_t every_, last_;
  std::vector<double> momenta_;
};

}  // namespace

recording record(const model& m, const integrator_options<double>& options, std::size_t steps, std::size_t every) {
  const integrator<double> flow(m.system, options);
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  recording result;
  recorder looking_on(result, every, steps);
  const auto report = run(flow, *workspace, state, run_options<double>{.steps = steps, .observers = {&looking_on}});
  if (report.status != run_status::done) throw std::runtime_error(report.reason);
  return result;
}

void error_study::gather(reproduction& r) {
  const std::vector<double> failed(quantities, std::nan(""));
  errors.assign(methods.size(), {});
  for (std::size_t k = 0; k < methods.size(); ++k) {
    errors[k].resize(steps.size());
    for (std::size_t j = 0; j < steps.size(); ++j) {
      errors[k][j].assign(lengths[j].size(), failed);
      r.task(static_cast<double>(lengths[j].back() * m.system.size()), [this, &r, k, j] {
        const integrator<real> flow(
            m.system, {.method = methods[k].method, .step = steps[j], .velocity_state = methods[k].velocity_state});
        phase_state<real> state = flow.at_start(m);
        largest_errors<real> largest(quantities, lengths[j], measure(flow, state));
        const auto workspace = flow.make_workspace();
        run_options<real> options{.steps = lengths[j].back(), .observers = {&largest}};
        options.interrupted = [&, count = std::size_t{0}]() mutable {
          constexpr std::size_t rhythm = 500;  // steps between two words on the progress
          if (++count % rhythm == 0) r.progressed(static_cast<double>(rhythm * m.system.size()));
          return false;
        };
        const auto report = run(flow, *workspace, state, options);
        if (report.status != run_status::done) return;
        for (std::size_t i = 0; i < lengths[j].size(); ++i) {
          for (std::size_t q = 0; q < quantities; ++q) errors[k][j][i][q] = to_double(largest(q, i));
        }
      });
    }
  }
}

std::vector<double> error_study::printed_row(std::size_t method, std::size_t length, std::size_t quantity) const {
  std::vector<double> row, sizes;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    row.push_back(errors[method][j][length][quantity]);
    sizes.push_back(to_double(steps[j]));
  }
  row.push_back(order_from_ends(sizes, row));
  return row;
}

largest_errors<real>::measure energy_error(const integrator<real>& flow, const phase_state<real>& start) {
  phase_point<real> point(flow.space());
  point.measure(start.time, start.position.value, start.momentum.value, start.velocity);
  return [H = point.energy()](const sample<real>& now, std::span<real> errors) {
    errors[0] = abs(real((now.point.energy() - H) / H));
  };
}

std::vector<curve> convergence_curves(const error_study& study, std::size_t quantity) {
  std::vector<curve> curves;
  for (std::size_t k = 0; k < study.methods.size(); ++k) {
    curve& c = curves.emplace_back(curve{study.methods[k].label, curve_style::line_with_points, {}, {}});
    for (std::size_t j = 0; j < study.steps.size(); ++j) {
      c.x.push_back(to_double(study.steps[j]));
      c.y.push_back(study.errors[k][j][0][quantity]);
    }
  }
  return curves;
}

std::vector<double> line_errors(const error_study& study, std::size_t method, std::size_t quantity) {
  return convergence_curves(study, quantity)[method].y;
}

double regression_order(const error_study& study, std::size_t method, std::size_t quantity) {
  const curve line = convergence_curves(study, quantity)[method];
  return order_by_regression(line.x, line.y, 0).value_or(std::nan(""));
}

}  // namespace actio
