#include "actio/integrate/collocation_lanes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "actio/base/error.hpp"
#include "actio/base/lanes.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

namespace {

// Which of the predictions came nearest to the rates of a step, for every lane; the simplest of equals. The last node,
// farthest from what was known, decides.
template <std::size_t W>
ACTIO_ALWAYS_INLINE void find_nearest(const collocation_lane_tables& tables, lane_stage_kernel& kernel,
                                      double* choice) {
  using V = lanes<W>;
  const lane_rows& rows = kernel.rows();
  const std::size_t points = rows.points, last = points - 1;
  const lane_rates& rates = kernel.rates();
  V least{}, nearest{};
  for (std::size_t k = 0; k < tables.predictions.size(); ++k) {
    const double* const coefficients = &tables.predictions[k].coefficients[last * 2 * points];
    const std::size_t first = 2 * points - tables.predictions[k].nodes;
    V error{};
    for (std::size_t c = 0; c < rows.components; ++c) {
      V miss = -row<W>(rates.solved + rows.rate(c, last) * W);
      for (std::size_t j = first; j < points; ++j) {
        miss += coefficients[j] * row<W>(rates.previous + rows.rate(c, j) * W);
      }
      for (std::size_t j = std::max(first, points); j < 2 * points; ++j) {
        miss += coefficients[j] * row<W>(rates.recent + rows.rate(c, j - points) * W);
      }
      miss *= row<W>(kernel.row(rows.inverse_size(c)));
      error += miss * miss;
    }
    if (k > 0) nearest = error < least ? V{} + static_cast<double>(k) : nearest;
    least = k > 0 ? (error < least ? error : least) : error;
  }
  put<V>(choice, nearest);
}

ACTIO_CPU_CLONES void find_nearest_1(const collocation_lane_tables& t, lane_stage_kernel& k, double* choice) {
  find_nearest<1>(t, k, choice);
}
ACTIO_CPU_CLONES void find_nearest_4(const collocation_lane_tables& t, lane_stage_kernel& k, double* choice) {
  find_nearest<4>(t, k, choice);
}
ACTIO_CPU_CLONES void find_nearest_8(const collocation_lane_tables& t, lane_stage_kernel& k, double* choice) {
  find_nearest<8>(t, k, choice);
}

bool reads_variable(const program& p, std::size_t k) {
  const std::size_t variable = p.parameters + k;
  return std::ranges::any_of(p.body, [&](const instruction& i) { return i.left == variable || i.right == variable; });
}

}  // namespace

// All of it at quad precision, then split.
collocation_lane_tables collocation_tables(std::size_t points, double step) {
  collocation_lane_tables tables{.points = points};
  const collocation_tableau<quad> tableau = make_gauss_collocation<quad>(points);
  const quad h(step);
  const auto a = [&](std::size_t i, std::size_t j) { return quad(h * tableau.stages.head(i, j)); };
  const auto split = [](const quad& x, std::vector<double>& heads, std::vector<double>& tails) {
    heads.push_back(to_double(x));
    tails.push_back(to_double(quad(x - heads.back())));
  };
  std::vector<quad> past;
  for (const double shift : {-1.0, 0.0}) {
    for (const quad& node : tableau.node) past.push_back(quad(node + shift));
  }
  for (std::size_t i = 0; i < points; ++i) {
    tables.nodes.push_back(to_double(quad(h * tableau.node[i])));
    for (std::size_t j = 0; j < points; ++j) split(a(i, j), tables.stages, tables.stage_remainders);
    split(quad(h * tableau.weights.head(0, i)), tables.weights, tables.weight_remainders);
  }
  // Long steps are better off with few nodes, because what high degrees continue grows fast.
  for (const std::size_t nodes : {std::size_t{1}, (points + 1) / 2, points, points + points / 2, 2 * points}) {
    if (!tables.predictions.empty() && tables.predictions.back().nodes == nodes) continue;
    const std::vector<quad> at(past.end() - static_cast<std::ptrdiff_t>(nodes), past.end());
    collocation_lane_tables::prediction p{.nodes = nodes};
    for (std::size_t i = 0; i < points; ++i) {
      const basis_values<quad> basis = lagrange_basis<quad>(at, quad(1 + tableau.node[i]));
      p.coefficients.insert(p.coefficients.end(), 2 * points - nodes, 0.0);
      for (const quad& x : basis.value) p.coefficients.push_back(to_double(x));
    }
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t k = 0; k < 2 * points; ++k) {
        quad total(0);
        for (std::size_t j = 0; j < points; ++j) total += a(i, j) * p.coefficients[j * 2 * points + k];
        p.stages.push_back(to_double(total));
      }
    }
    tables.predictions.push_back(std::move(p));
  }
  return tables;
}

collocation_lanes::collocation_lanes(const collocation_lane_tables& tables, const collocation_code& code,
                                     std::span<const double> shared, double step, bool has_power, std::size_t width)
    : lane_workspace(width),
      tables_(tables),
      kernel_(make_lane_stage_kernel(code, shared, width)),
      step_(step),
      has_power_(has_power),
      reads_time_(reads_variable(code.field, 2 * code.coordinates)),
      choice_(width, 0.0),
      nearest_(width, 0.0) {
  ACTIO_ASSERT(kernel_ && (width == 1 || width == 4 || width == 8));
  const lane_rows& rows = kernel_->rows();
  const std::size_t n = code.coordinates;
  const std::span<double> table = kernel_->table();
  std::ranges::copy(tables.stages, &table[rows.stage(0, 0)]);
  std::ranges::copy(tables.stage_remainders, &table[rows.stage_remainder(0, 0)]);
  std::ranges::copy(tables.weights, &table[rows.weight(0)]);
  std::ranges::copy(tables.weight_remainders, &table[rows.weight_remainder(0)]);
  rows_ = {kernel_->row(rows.state(0)),
           kernel_->row(rows.remainder(0)),
           kernel_->row(rows.state(n)),
           kernel_->row(rows.remainder(n)),
           rows.varied > 0 ? kernel_->row(rows.parameter(0)) : nullptr,
           kernel_->row(rows.lives())};
  clear();
}

void collocation_lanes::clear() {
  kernel_->forget();
  std::fill_n(rows_.lives, width_, 0.0);
  for (std::size_t l = 0; l < width_; ++l) choose_prediction(l, 0);
}

void collocation_lanes::choose_prediction(std::size_t lane, std::size_t k) {
  const auto put_into_lane = [&](const std::vector<double>& coefficients, double* to) {
    for (std::size_t at = 0; at < coefficients.size(); ++at) to[at * width_ + lane] = coefficients[at];
  };
  const lane_rows& rows = kernel_->rows();
  put_into_lane(tables_.predictions[k].coefficients, kernel_->row(rows.continuation(0, 0)));
  put_into_lane(tables_.predictions[k].stages, kernel_->row(rows.continued_stage(0, 0)));
  choice_[lane] = static_cast<double>(k);
}

void collocation_lanes::judge_predictions() {
  const auto find_nearest = width_ == 1 ? find_nearest_1 : width_ == 4 ? find_nearest_4 : find_nearest_8;
  find_nearest(tables_, *kernel_, nearest_.data());
  for (std::size_t l = 0; l < width_; ++l) {
    if (nearest_[l] != choice_[l]) choose_prediction(l, static_cast<std::size_t>(nearest_[l]));
  }
}

void collocation_lanes::set_times(double begin) {
  for (std::size_t i = 0; i < tables_.points; ++i) {
    std::fill_n(kernel_->row(kernel_->rows().time(i)), width_, begin + tables_.nodes[i]);
  }
}

// The rates at the start: those of a motion at constant rates are the same at all nodes, and all its polynomials
// continued are itself.
void collocation_lanes::guess(const double* /*velocity*/) {
  const lane_rows& rows = kernel_->rows();
  const lane_rates& rates = kernel_->rates();
  const std::size_t count = rows.rate(rows.components, 0) * width_;
  std::fill_n(rates.recent, count, 0.0);
  std::fill_n(rates.previous, count, 0.0);
  std::fill_n(kernel_->row(rows.time(0)), tables_.points * width_, 0.0);
  std::copy_n(rows_.lives, width_, kernel_->row(rows.wanted()));
  kernel_->find_rates();
  std::copy_n(rates.now, count, rates.recent);
  std::copy_n(rates.now, count, rates.previous);
}

bool collocation_lanes::advance(std::size_t index) {
  constexpr std::size_t steps_a_judgement = 32;
  if (reads_time_) set_times(static_cast<double>(index) * step_);
  double *const wanted = kernel_->row(kernel_->rows().wanted()), *const lives = rows_.lives;
  std::copy_n(lives, width_, wanted);
  kernel_->solve();
  // Guesses of high degree may be so far off that nothing converges from there: once more from the simplest one.
  bool any = false;
  for (std::size_t l = 0; l < width_; ++l) {
    const bool again = wanted[l] != lives[l] && choice_[l] != 0;
    wanted[l] = again ? 1 : 0;
    if (!again) continue;
    any = true;
    lives[l] = 1;
    choose_prediction(l, 0);
  }
  if (any) kernel_->solve();
  if (has_power_) std::copy_n(kernel_->row(kernel_->rows().work()), width_, work_.begin());
  if (std::has_single_bit(index) || index % steps_a_judgement == 0) judge_predictions();
  lane_rates& rates = kernel_->rates();
  std::swap(rates.previous, rates.solved);
  std::swap(rates.previous, rates.recent);
  return std::any_of(lives, lives + width_, [](double l) { return l != 0; });
}

}  // namespace actio
