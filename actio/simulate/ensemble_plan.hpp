// What varies in an ensemble: sweeps over grids and random samples, and the data of every trajectory made from them.
//
// The data of trajectory k are a function of k, the sweeps, the samples and the seed alone: random numbers come from
// counters (seed, k, name of the variable), not from a generator with a memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actio/backend/compiled_function.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

// NAME is a coordinate (its initial value), p_NAME or NAME' (its initial momentum or velocity, whichever the model
// starts from), or a parameter.
struct swept_variable {
  std::string name;
  double from = 0, to = 0;  // both belong to the sweep
  std::size_t count = 1;
  source_place place = {};
  std::vector<double> values = {};  // `count` of them in the place of equally spaced ones, or none
  bool beside = false;              // goes along with the sweep before it, instead of being a side of the grid
};

enum class distribution { normal, uniform };

struct random_variable {
  std::string name;
  distribution kind = distribution::normal;
  double first = 0, second = 1;  // mean and deviation, or both ends
  source_place place = {};
};

// "q1=0:pi:100", "q1=[0,1,pi]", "&q2=[1,1,0]" (beside the sweep before it) and "q2=normal(0,0.1)"; numbers are
// expressions in the model's parameters. Throw expression-syntax, bad-count, bad-number, unknown-option-value, and what
// parse_quantity throws.
swept_variable sweep_from(const model& m, const source_text& typed);
// What sweep_from reads, with all digits.
std::string to_text(const swept_variable& sweep);
random_variable sample_from(const model& m, const source_text& typed);

struct ensemble_variation {
  std::vector<swept_variable> sweeps = {};  // those that are not beside another make a grid; the last runs fastest
  std::vector<random_variable> samples = {};
  std::size_t count = 1;  // trajectories at each point of the grid
  std::uint64_t seed = 0;
};

// Most trajectories of an ensemble.
inline constexpr std::size_t most_trajectories = 1'000'000'000;

// Where a trajectory starts; no momentum where the system is of first order.
struct trajectory_start {
  std::vector<double> values;  // of what varies, in the order of ensemble_plan::names()
  std::vector<double> parameters, position, momentum;
  // That which the momentum comes from, where several may belong to it or positions may be projected; empty otherwise.
  std::vector<double> velocity = {};
};

class ensemble_plan {
 public:
  // Throws unknown-name, duplicate-name, bad-count (too many trajectories, or sweeps beside each other of different
  // lengths), bad-number (an end or a moment that is not
  // finite, or a deviation so large that samples may not be), two-point-start.
  ensemble_plan(model m, ensemble_variation variation);

  std::size_t size() const { return size_; }
  const model& base() const { return model_; }
  const ensemble_variation& variation() const { return variation_; }
  const std::vector<std::string>& names() const { return names_; }  // sweeps, then samples
  bool varies_parameters() const { return varies_parameters_; }
  bool has_velocities() const;  // whether starts have: momenta change with positions that --project moves

  // Values of names() in trajectory k.
  void values(std::size_t k, std::span<double> result) const;

 private:
  friend class start_maker;
  enum class target_kind { parameter, position, rate };
  struct target {
    target_kind kind;
    std::size_t index;
  };
  target target_of(const std::string& name, const source_place& place) const;
  program start_program() const;
  void settle_symmetries();

  model model_;
  ensemble_variation variation_;
  std::size_t size_ = 1;
  std::vector<std::string> names_;
  std::vector<target> targets_;
  std::vector<std::uint64_t> keys_;  // of the samples
  bool varies_parameters_ = false;
  // values → parameters, position, momentum, and velocity where starts have one
  std::shared_ptr<const compiled_function<double>> start_;
};

// Makes the starts of a plan, one at a time; one a thread.
class start_maker {
 public:
  explicit start_maker(const ensemble_plan& plan);  // which outlives it
  explicit start_maker(ensemble_plan&&) = delete;
  // Numbers may turn out not to be finite; it is for the trajectory to fail then.
  void make(std::size_t k, trajectory_start& start);

 private:
  const ensemble_plan& plan_;
  std::unique_ptr<evaluation<double>> evaluation_;
  std::vector<double> in_, out_;
};

}  // namespace actio
