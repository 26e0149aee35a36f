// SUNDIALS as its documentation advises for problems that are not stiff: CVODE's Adams methods with fixed-point
// iteration, and ARKODE's explicit Runge–Kutta methods.
#pragma once

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "common/contest.hpp"

namespace actio::bench {

// A tolerance that asks for more is beyond what rounding allows.
constexpr long most_sundials_steps = 1'000'000;

template <class State, class Rhs>
class sundials_problem {
 public:
  sundials_problem(const State& start, Rhs rhs) : start_(start), rhs_(rhs) {
    if (SUNContext_Create(nullptr, &context_) != 0) throw std::runtime_error("SUNDIALS has no context");
    y_ = N_VNew_Serial(static_cast<sunindextype>(start.size()), context_);
    rewind();
  }
  ~sundials_problem() {
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  sundials_problem(const sundials_problem&) = delete;
  sundials_problem& operator=(const sundials_problem&) = delete;

  void rewind() { std::copy(start_.begin(), start_.end(), N_VGetArrayPointer(y_)); }
  attempt end(long steps) const {
    const double* y = N_VGetArrayPointer(y_);
    return {std::vector<double>(y, y + start_.size()), static_cast<std::size_t>(steps)};
  }
  static int evaluate(realtype t, N_Vector y, N_Vector rate, void* self) {
    State in, out;
    std::copy_n(N_VGetArrayPointer(y), in.size(), in.begin());
    static_cast<sundials_problem*>(self)->rhs_(in, out, t);
    std::copy_n(out.begin(), out.size(), N_VGetArrayPointer(rate));
    return 0;
  }
  SUNContext context() const { return context_; }
  N_Vector y() const { return y_; }

 private:
  State start_;
  Rhs rhs_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
};

template <class State, class Rhs>
class cvode_adams {
 public:
  cvode_adams(const State& start, double until, Rhs rhs, double tolerance) : problem_(start, rhs), until_(until) {
    memory_ = CVodeCreate(CV_ADAMS, problem_.context());
    CVodeInit(memory_, problem_.evaluate, 0.0, problem_.y());
    CVodeSStolerances(memory_, tolerance, tolerance);
    CVodeSetUserData(memory_, &problem_);
    CVodeSetMaxNumSteps(memory_, most_sundials_steps);
    solver_ = SUNNonlinSol_FixedPoint(problem_.y(), 0, problem_.context());
    CVodeSetNonlinearSolver(memory_, solver_);
    CVodeSetStopTime(memory_, until);
  }
  ~cvode_adams() {
    CVodeFree(&memory_);
    SUNNonlinSolFree(solver_);
  }
  attempt operator()() {
    problem_.rewind();
    CVodeReInit(memory_, 0.0, problem_.y());
    CVodeSetStopTime(memory_, until_);
    double t = 0;
    if (CVode(memory_, until_, problem_.y(), &t, CV_NORMAL) < 0) return {};
    long steps = 0;
    CVodeGetNumSteps(memory_, &steps);
    return problem_.end(steps);
  }

 private:
  sundials_problem<State, Rhs> problem_;
  double until_;
  void* memory_ = nullptr;
  SUNNonlinearSolver solver_ = nullptr;
};

template <class State, class Rhs>
class arkode_explicit {
 public:
  arkode_explicit(const State& start, double until, Rhs rhs, double tolerance, ARKODE_ERKTableID table)
      : problem_(start, rhs), until_(until) {
    memory_ = ERKStepCreate(problem_.evaluate, 0.0, problem_.y(), problem_.context());
    ERKStepSetTableNum(memory_, table);
    ERKStepSStolerances(memory_, tolerance, tolerance);
    ERKStepSetUserData(memory_, &problem_);
    ERKStepSetMaxNumSteps(memory_, most_sundials_steps);
    ERKStepSetStopTime(memory_, until);
  }
  ~arkode_explicit() { ERKStepFree(&memory_); }
  attempt operator()() {
    problem_.rewind();
    ERKStepReInit(memory_, problem_.evaluate, 0.0, problem_.y());
    ERKStepSetStopTime(memory_, until_);
    double t = 0;
    if (ERKStepEvolve(memory_, until_, problem_.y(), &t, ARK_NORMAL) < 0) return {};
    long steps = 0;
    ERKStepGetNumSteps(memory_, &steps);
    return problem_.end(steps);
  }

 private:
  sundials_problem<State, Rhs> problem_;
  double until_;
  void* memory_ = nullptr;
};

template <class State, class Rhs>
std::vector<competitor> sundials_competitors(State start, double until, Rhs rhs, int finest = -14) {
  const auto explicit_method = [=](std::string name, ARKODE_ERKTableID table, std::vector<double> settings) {
    return competitor{
        "SUNDIALS", std::move(name), "tolerance", std::move(settings), [=](double tolerance) -> prepared_run {
          auto solver = std::make_shared<arkode_explicit<State, Rhs>>(start, until, rhs, tolerance, table);
          return [solver] { return (*solver)(); };
        }};
  };
  competitor adams{"SUNDIALS", "CVODE Adams", "tolerance", tolerances(-6, finest),
                   [=](double tolerance) -> prepared_run {
                     auto solver = std::make_shared<cvode_adams<State, Rhs>>(start, until, rhs, tolerance);
                     return [solver] { return (*solver)(); };
                   }};
  return {std::move(adams),
          explicit_method("ARKODE dopri5", ARKODE_DORMAND_PRINCE_7_4_5, tolerances(-6, std::max(finest, -13))),
          explicit_method("ARKODE fehlberg78", ARKODE_FEHLBERG_13_7_8, tolerances(-6, finest))};
}

}  // namespace actio::bench
