// Measuring a quantity that should stay what it was.
#pragma once

#include <cstddef>
#include <string>

#include "actio/base/snapshot.hpp"
#include "actio/simulate/drift.hpp"

namespace actio {

// What rounding alone may have added up to over so many steps: a random walk of errors of such a size.
template <class S>
double rounding_walk(const S& size, std::size_t steps);

// Takes one value a step. What has no value once has none for ever.
template <class S>
class conserved_meter {
 public:
  explicit conserved_meter(std::string name, bool is_invariant = false) {
    record_.name = std::move(name);
    record_.is_invariant = is_invariant;
  }

  bool started() const { return started_; }
  void start(const S& time, const S& value);
  void add(const S& time, const S& value);
  // Something from outside has changed it by so much, which is no error.
  void shift(const S& change);
  // How large its terms are now, and what rounding makes of them.
  void look_at(const S& scale, const S& rounding);

  const S& scale() const { return record_.scale; }
  const S& initial() const { return record_.initial; }
  const S& max_error() const { return record_.max_error; }
  // Of a run of a method that is symplectic or not, in which the motion swung to and fro so often.
  conserved_record<S> record(double swings, bool is_symplectic) const;

  // Under names that begin with `name`.
  void save(snapshot& to, const std::string& name) const;
  void load(const snapshot& from, const std::string& name);

 private:
  conserved_record<S> record_;
  bool started_ = false, beyond_rounding_ = false;
  std::size_t steps_ = 0;
  drift_meter drift_;
};

}  // namespace actio
