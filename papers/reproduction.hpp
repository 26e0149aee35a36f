// What the reproductions share: tasks that run in parallel, tables to fill, claims, recorded motions.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "actio/analysis/convergence.hpp"
#include "papers/judgement.hpp"
#include "papers/paper.hpp"
#include "papers/published.hpp"

namespace actio {

// Collects one paper's report. Tasks are gathered first and run together; what they compute is written down afterwards.
class reproduction {
 public:
  reproduction(const paper& p, const reproduction_options& options);

  bool quick() const { return options_.quick; }

  // Work for later; `cost` in any unit, the same for all: the most expensive begin first. A long task says by
  // `progressed` what part of its cost is done, no more than it in all; the others need not.
  void task(double cost, std::function<void()> work);
  void progressed(double cost);
  // Does all tasks gathered since the last call.
  void work();

  // Judges a row of a table; a value that is missing at the end was left out.
  void row(std::string_view table, const std::vector<std::string>& heads, const std::vector<double>& values);

  // A number that the paper states outside its tables, printed as `published`: its digits must come out.
  void number(std::string statement, std::string published, double value, std::string note = "");
  // A number or an interval that comes out inside a tolerance.
  void close(std::string statement, std::string published, std::string seen, const judgement& judged,
             std::string note = "");
  // A statement that holds or not, with what was seen.
  void statement(std::string text, std::string published, std::string seen, const judgement& judged,
                 std::string note = "");
  // A statement that holds under `part` only: `rest` is what it says beyond. The note says where.
  void statement_in_part(std::string text, std::string published, std::string seen, const judgement& part,
                         const judgement& rest, std::string note);
  // Something printed that is wrong: `refuted` holds by what was seen.
  void misprint(std::string text, std::string published, std::string seen, const judgement& refuted, std::string note);

  // A number that belongs to the paper's subject and is not printed in it.
  void result(std::string what, std::string seen, std::string note = "");

  void add(figure f) { report_.figures.push_back(std::move(f)); }

  paper_report finished();

 private:
  struct pending {
    double cost;
    std::function<void()> work;
  };

  // What the tasks have cost so far, and all that they will.
  struct progress_meter {
    std::mutex mutex;
    double done = 0, all = 0;
  };

  void claim(std::string text, std::string published, std::string seen, verdict v, const std::string& rule,
             std::string note);

  const reproduction_options& options_;
  published_paper published_;
  paper_report report_;
  std::vector<pending> tasks_;
  progress_meter meter_;
};

// Six digits, as results are shown: 7.51234e-2, 0.342345, 1.81234.
std::string six_digits(double value);
// Two digits and a power of ten, as sizes of errors are shown; 0 for none at all.
std::string two_digits(double size);

// A motion as numbers to draw.
struct recording {
  std::vector<double> t;
  std::vector<std::vector<double>> q, p;            // [coordinate][sample]
  std::vector<double> energy_error;                 // relative; empty for systems without energy
  std::vector<std::vector<double>> momentum_error;  // relative, of conserved momenta
  double initial_energy = 0;

  curve position(std::size_t i, std::string name, curve_style style = curve_style::line) const;
  curve momentum(std::size_t i, std::string name, curve_style style = curve_style::line) const;
};

// Runs in double precision and keeps every `every`-th point. Throws std::runtime_error where the run fails.
recording record(const model& m, const integrator_options<double>& options, std::size_t steps, std::size_t every = 1);

// Errors (one a quantity) of runs with several methods and steps, gathered as tasks: errors[method][step](quantity,
// length).
using real = quad;  // rounding does not show in six digits of any error

struct study_method {
  std::string label, method;
  bool velocity_state = false;
};

struct error_study {
  model m;
  std::vector<study_method> methods;
  std::vector<real> steps;
  std::vector<std::vector<std::size_t>> lengths;  // numbers of steps, [step][length]
  std::size_t quantities = 1;
  // Makes the measure of one run; a measure may keep data of its own.
  std::function<largest_errors<real>::measure(const integrator<real>&, const phase_state<real>& start)> measure;

  // Results, NaN where a run failed.
  std::vector<std::vector<std::vector<std::vector<double>>>> errors = {};  // [method][step][length][quantity]

  void gather(reproduction& r);
  // e at every step, then the order ½ log2(e_first/e_last) and the like, as the papers print rows.
  std::vector<double> printed_row(std::size_t method, std::size_t length, std::size_t quantity) const;
};

// |H − H0| / |H0| as the one quantity.
largest_errors<real>::measure energy_error(const integrator<real>& flow, const phase_state<real>& start);

// A line a method: errors of a quantity over the first length, against the step.
std::vector<curve> convergence_curves(const error_study& study, std::size_t quantity);
// The errors of such a line.
std::vector<double> line_errors(const error_study& study, std::size_t method, std::size_t quantity);
// The slope of such a line by regression.
double regression_order(const error_study& study, std::size_t method, std::size_t quantity);

}  // namespace actio
