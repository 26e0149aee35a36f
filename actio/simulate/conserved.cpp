#include "actio/simulate/conserved.hpp"

#include <cmath>

#include "actio/base/largest.hpp"

namespace actio {

template <class S>
double rounding_walk(const S& size, std::size_t steps) {
  return 10 * to_double(epsilon<S>()) * std::sqrt(static_cast<double>(steps) + 1) * to_double(size);
}

template <class S>
void conserved_meter<S>::start(const S& time, const S& value) {
  started_ = true;
  record_.initial = record_.final = value;
  drift_.add(to_double(time), 0);
}

template <class S>
void conserved_meter<S>::add(const S& time, const S& value) {
  using std::abs;
  record_.final = value;
  const S off = (value - record_.initial) - record_.change;
  raise_to(record_.max_error, S(abs(off)));
  drift_.add(to_double(time), to_double(off));
  ++steps_;
  // A walk is long when the run is; what exceeds it early on is no walk.
  beyond_rounding_ = beyond_rounding_ || !(to_double(S(abs(off))) <= rounding_walk(record_.rounding, steps_));
}

template <class S>
void conserved_meter<S>::shift(const S& change) {
  using std::abs;
  constexpr double roundings = 1024;
  record_.change += change;
  record_.final += change;
  if (abs(change) > S(roundings) * epsilon<S>() * record_.scale) ++record_.changes;
}

template <class S>
void conserved_meter<S>::look_at(const S& scale, const S& rounding) {
  raise_to(record_.scale, scale);
  raise_to(record_.rounding, rounding);
}

template <class S>
conserved_record<S> conserved_meter<S>::record(double swings, bool is_symplectic) const {
  conserved_record<S> result = record_;
  result.drift = drift_.estimate({.rounding = rounding_walk(record_.rounding, steps_),
                                  .swings = swings,
                                  .beyond_rounding = beyond_rounding_,
                                  .is_symplectic = is_symplectic});
  return result;
}

template <class S>
void conserved_meter<S>::save(snapshot& to, const std::string& name) const {
  to.put<S>(name, std::vector<S>{S(started_ ? 1 : 0), record_.initial, record_.final, record_.max_error, record_.scale,
                                 record_.rounding, record_.change});
  to.put(name + ".steps", std::vector<double>{static_cast<double>(steps_), beyond_rounding_ ? 1.0 : 0.0,
                                              static_cast<double>(record_.changes)});
  to.put(name + ".drift", drift_.save());
}

template <class S>
void conserved_meter<S>::load(const snapshot& from, const std::string& name) {
  const std::vector<S> saved = from.get<S>(name, 7);
  started_ = saved[0] != S(0);
  record_.initial = saved[1];
  record_.final = saved[2];
  record_.max_error = saved[3];
  record_.scale = saved[4];
  record_.rounding = saved[5];
  record_.change = saved[6];
  const std::vector<std::size_t> counts = from.counts(name + ".steps", 3);
  steps_ = counts[0];
  beyond_rounding_ = counts[1] != 0;
  record_.changes = counts[2];
  drift_.load(from.get<double>(name + ".drift"));
}

#define ACTIO_INSTANTIATE(S)                               \
  template double rounding_walk<S>(const S&, std::size_t); \
  template class conserved_meter<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
