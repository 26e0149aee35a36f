// The public interface in one include:
//   models, from files or written in C++                mechanics/model.hpp, mechanics/model_builder.hpp
//   whole runs and ensembles by options, their files    api/simulation.hpp, api/ensemble_simulation.hpp,
//     and reports                                       api/trajectory_store.hpp
//   what the other commands do                          api/model_check.hpp, api/method_comparison.hpp, …
//   integrators, states, steps and their tangent maps   simulate/integrator.hpp, integrate/step.hpp
//   parameters by name                                  mechanics/parameter_overrides.hpp
//   methods of your own                                 integrate/catalogue.hpp, integrate/galerkin_methods.hpp
//   runs with observers and their certificates          simulate/run.hpp, simulate/certificate.hpp
//   Poincaré sections and Lyapunov exponents            simulate/section.hpp, simulate/lyapunov.hpp
// Built-in problems and papers are a library of their own, actio::problems: problems/problem_list.hpp and
// papers/paper_reproduction.hpp.
#pragma once

#include "actio/api/ensemble_join.hpp"
#include "actio/api/ensemble_simulation.hpp"
#include "actio/api/exact_states.hpp"
#include "actio/api/language_reference.hpp"
#include "actio/api/method_comparison.hpp"
#include "actio/api/method_list.hpp"
#include "actio/api/method_verification.hpp"
#include "actio/api/model_check.hpp"
#include "actio/api/simulation.hpp"
#include "actio/api/trajectory_store.hpp"
#include "actio/expr/piecewise.hpp"
#include "actio/expr/print.hpp"
#include "actio/integrate/galerkin_methods.hpp"
#include "actio/mechanics/model_builder.hpp"
#include "actio/mechanics/parameter_overrides.hpp"
#include "actio/mechanics/switching.hpp"
#include "actio/simulate/lyapunov.hpp"
#include "actio/simulate/run.hpp"
#include "actio/simulate/section.hpp"
