#include "actio/backend/element_kernel.hpp"

#include <algorithm>
#include <concepts>

#include "actio/backend/backend.hpp"
#ifdef ACTIO_WITH_LLVM
#include "actio/backend/llvm/element_code.hpp"
#endif

namespace actio {

namespace {

// Any backend, a vector of points at a time.
template <class S>
class copying_kernel final : public element_kernel<S> {
 public:
  explicit copying_kernel(const program& p)
      : function_(compile<S>(p)),
        evaluation_(function_->evaluate_at(element_lanes)),
        in_(function_->inputs() * evaluation_->stride(), S(0)),
        out_(function_->outputs() * evaluation_->stride(), S(0)) {}

  void set_parameters(std::span<const S> values) override { evaluation_->set_parameters(values); }

  void run(const S* const* in, S* const* out, std::size_t count) override {
    const std::size_t stride = evaluation_->stride();
    for (std::size_t e = 0; e < count; e += element_lanes) {
      for (std::size_t k = 0; k < function_->inputs(); ++k) std::copy_n(in[k] + e, element_lanes, &in_[k * stride]);
      (*evaluation_)(in_.data(), out_.data());
      for (std::size_t k = 0; k < function_->outputs(); ++k) std::copy_n(&out_[k * stride], element_lanes, out[k] + e);
    }
  }

 private:
  std::shared_ptr<const compiled_function<S>> function_;
  std::unique_ptr<evaluation<S>> evaluation_;
  std::vector<S> in_, out_;
};

}  // namespace

template <class S>
std::unique_ptr<element_kernel<S>> make_element_kernel(const std::shared_ptr<const program>& p,
                                                       [[maybe_unused]] std::size_t count) {
#ifdef ACTIO_WITH_LLVM
  if constexpr (std::same_as<S, double>) {
    constexpr std::size_t many = 32;
    if (count >= many && backend_in_use<double>() == backend::machine_code) return machine_code::make_element_kernel(p);
  }
#endif
  return std::make_unique<copying_kernel<S>>(*p);
}

#define ACTIO_INSTANTIATE(S)                                                                                \
  template std::unique_ptr<element_kernel<S>> make_element_kernel<S>(const std::shared_ptr<const program>&, \
                                                                     std::size_t);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
