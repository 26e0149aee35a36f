// A method made of the text of its step, a template over a builder:
//
//   template <class B> class some_step {
//     some_step(B& b, const Data& data, const step_surroundings<B>& around);
//     static std::size_t memory(const Data& data, std::size_t components);
//     std::pair<truth, number> step(const moving_trajectory<B>& at, const number& time, const truth& wanted);
//   };
//
// A step moves the lanes that are wanted and says which of them it moved, and the work of forces.
#pragma once

#include <utility>

#include "actio/backend/kernel/trajectory_text.hpp"
#ifdef ACTIO_WITH_LLVM
#include "actio/backend/llvm/machine_builder.hpp"
#endif

namespace actio::kernel {

template <template <class> class Step, class Data>
class text_method final : public trajectory_method {
 public:
  text_method(std::string name, Data data) : name_(std::move(name)), data_(std::move(data)) {}

  std::string name() const override { return name_; }
  std::size_t memory(std::size_t components) const override { return Step<number_builder>::memory(data_, components); }
  void write(number_builder& b, const stretch<number_builder>& steps) const override { write_text(b, steps); }
  void write([[maybe_unused]] machine_code::machine_builder& b,
             [[maybe_unused]] const stretch<machine_code::machine_builder>& steps) const override {
#ifdef ACTIO_WITH_LLVM
    write_text(b, steps);
#else
    ACTIO_ASSERT(false);
#endif
  }

 private:
  template <class B>
  void write_text(B& b, const stretch<B>& steps) const {
    Step<B> step(b, data_, step_surroundings<B>(steps));
    write_trajectories(b, step, steps);
  }

  std::string name_;
  Data data_;
};

}  // namespace actio::kernel
