// Work that takes long without telling anybody: at points inside it asks whether whoever called wants it to end.
#pragma once

#include <exception>
#include <functional>
#include <utility>

namespace actio {

// Thrown at a point where the work was to end; nothing of it is left.
class work_interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "the work was interrupted"; }
};

// As long as it lives, points that this thread passes ask `wanted`, which may be empty.
class interruption_scope {
 public:
  explicit interruption_scope(std::function<bool()> wanted)
      : wanted_(std::move(wanted)), outer_(std::exchange(innermost(), this)) {}
  ~interruption_scope() { innermost() = outer_; }
  interruption_scope(const interruption_scope&) = delete;
  interruption_scope& operator=(const interruption_scope&) = delete;

  static void pass_point() {
    const interruption_scope* scope = innermost();
    if (scope != nullptr && scope->wanted_ && scope->wanted_()) throw work_interrupted();
  }

 private:
  static interruption_scope*& innermost() {
    thread_local interruption_scope* scope = nullptr;
    return scope;
  }

  std::function<bool()> wanted_;
  interruption_scope* outer_;
};

// An interruption point: of loops over steps, times or cases.
inline void pass_interruption_point() { interruption_scope::pass_point(); }

}  // namespace actio
