#include "actio/simulate/lyapunov.hpp"

#include "actio/integrate/tangent_operator.hpp"

namespace actio {

namespace {

// Scales to length 1; the length before.
template <class S>
S normalise(std::vector<S>& x) {
  using std::sqrt;
  S squares(0);
  for (const S& part : x) squares += part * part;
  const S length = sqrt(squares);
  for (S& part : x) part /= length;
  return length;
}

}  // namespace

template <class S>
lyapunov_meter<S>::lyapunov_meter(std::size_t size) : moved_(size, S(0)) {
  using std::sqrt;
  for (std::size_t i = 0; i < size; ++i) displacement_.push_back(sqrt(S(static_cast<double>(i + 1))));
  normalise(displacement_);
}

template <class S>
bool lyapunov_meter<S>::add(step_workspace<S>& workspace, const phase_state<S>& state) {
  using std::log;
  auto* const along = dynamic_cast<tangent_operator<S>*>(&workspace);
  if (along != nullptr && along->moves_tangents()) {
    const std::size_t n = state.position.value.size();
    moved_ = displacement_;
    if (2 * n != moved_.size() || !along->move_tangent(state, std::span(moved_).first(n), std::span(moved_).last(n)))
      return false;
  } else if (!move_by_matrix(workspace.tangent_map(state))) {
    return false;
  }
  const S length = normalise(moved_);
  if (!is_finite(length) || !(length > S(0))) return false;
  logarithm_.add(log(length));
  std::swap(displacement_, moved_);
  return true;
}

template <class S>
bool lyapunov_meter<S>::move_by_matrix(const matrix<S>& tangent) {
  if (tangent.rows() != displacement_.size()) return false;
  for (std::size_t i = 0; i < displacement_.size(); ++i) {
    moved_[i] = S(0);
    for (std::size_t j = 0; j < displacement_.size(); ++j) moved_[i] += tangent(i, j) * displacement_[j];
  }
  return true;
}

template <class S>
S lyapunov_meter<S>::exponent(const S& time) const {
  return time > S(0) ? S(logarithm_.value / time) : S(0);
}

#define ACTIO_INSTANTIATE(S) template class lyapunov_meter<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
