#include <atomic>
#include <utility>

#include "actio/backend/backend.hpp"
#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/interpreter/interpreter.hpp"
#include "actio/backend/newton_kernel.hpp"
#include "actio/backend/stage_iteration.hpp"
#include "actio/backend/trajectory_kernel.hpp"
#ifdef ACTIO_WITH_LLVM
#include "actio/backend/llvm/kernels.hpp"
#include "actio/backend/llvm/machine_code.hpp"
#endif

namespace actio {

namespace {
std::atomic<backend> chosen{backend::automatic};
std::atomic<compile_note> note_to_call{nullptr};
}  // namespace

compile_note noted_compilation() { return note_to_call; }
void set_compile_note(compile_note note) { note_to_call = note; }

backend default_backend() { return chosen; }
void set_default_backend(backend choice) { chosen = choice; }

bool machine_code_is_available() {
#ifdef ACTIO_WITH_LLVM
  return machine_code::runs_here();
#else
  return false;
#endif
}

std::string to_text(backend choice) {
  switch (choice) {
    case backend::interpreter: return "interpreter";
    case backend::machine_code: return "machine-code";
    case backend::automatic: break;
  }
  return "auto";
}

template <class S>
std::shared_ptr<const compiled_function<S>> compile(program p, backend choice) {
#ifdef ACTIO_WITH_LLVM
  if constexpr (std::same_as<S, double>) {
    if (choice != backend::interpreter && machine_code::runs_here()) {
      const auto when = choice == backend::machine_code ? compile_when::called : compile_when::worthwhile;
      return compile_to_machine_code(std::move(p), when);
    }
  }
#endif
  (void)choice;
  return interpret<S>(std::move(p));
}

template <class S>
std::shared_ptr<const compiled_function<S>> compile(program p) {
  return compile<S>(std::move(p), default_backend());
}

kernel_effort effort_of(const program& equations) {
  if (default_backend() == backend::interpreter || !machine_code_is_available()) return kernel_effort::none;
  // About 0.1 ms an operation, which stands in a kernel two or three times.
  const std::size_t operations = equations.body.size();
  if (operations <= 1500) return kernel_effort::small;
  return operations <= 4000 ? kernel_effort::large : kernel_effort::huge;
}

std::unique_ptr<collocation_kernel> make_collocation_kernel(const collocation_code& code,
                                                            std::span<const double> parameters,
                                                            [[maybe_unused]] bool calls_field) {
#ifdef ACTIO_WITH_LLVM
  if (effort_of(code.field) != kernel_effort::none) {
    const auto form = calls_field ? machine_code::collocation_form::calling : machine_code::form_for(code);
    return machine_code::make_kernel(code, parameters, form);
  }
#endif
  return std::make_unique<stage_iteration>(code, parameters);
}

std::unique_ptr<trajectory_kernel> make_trajectory_kernel([[maybe_unused]] const kernel::trajectory_code& code,
                                                          [[maybe_unused]] std::span<const double> parameters,
                                                          [[maybe_unused]] std::size_t lanes) {
#ifdef ACTIO_WITH_LLVM
  if (default_backend() != backend::interpreter && machine_code::runs_here()) {
    return machine_code::make_kernel(code, parameters, lanes);
  }
#endif
  return nullptr;
}

std::unique_ptr<newton_kernel> make_newton_kernel([[maybe_unused]] const newton_code& code,
                                                  [[maybe_unused]] std::span<const double> parameters,
                                                  [[maybe_unused]] double step) {
#ifdef ACTIO_WITH_LLVM
  if (default_backend() != backend::interpreter && machine_code::runs_here()) {
    return machine_code::make_kernel(code, parameters, step);
  }
#endif
  return nullptr;
}

#define ACTIO_INSTANTIATE(S)                                                                  \
  template std::shared_ptr<const compiled_function<S>> compile<S>(program p, backend choice); \
  template std::shared_ptr<const compiled_function<S>> compile<S>(program p);
ACTIO_FOR_EVERY_NUMBER(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
