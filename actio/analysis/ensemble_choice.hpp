// Method and steps of an ensemble for an accuracy, by measurements on a sample of its trajectories.
//
// References are trajectories with so many steps that twice as many change nothing. Beside them the number of steps is
// found with which a method moves each trajectory of the sample accurately enough; a polynomial in what varies says it
// for the others (pace_rule). What it takes is counted, not timed, and the sample depends on the size of the ensemble
// alone: the same plan gives the same choice, whoever computes which part of it. What is promised is measured on other
// trajectories than those that the steps were found with, where there are enough.
#pragma once

#include <functional>
#include <string>

#include "actio/simulate/ensemble.hpp"

namespace actio {

struct ensemble_accuracy_request {
  double accuracy = 0;        // of nine tenths of the errors at the end, relative to the size of states
  double until = 0;           // the end
  bool keeps_method = false;  // that of the options
  source_place place = {};    // of the accuracy as typed
};

// Sets the method, the paces and what they promise among `options`, whose integrator has all but method and step.
// Throws accuracy-unreachable, and what the integrator throws.
void choose_paces(const ensemble_plan& plan, const ensemble_accuracy_request& request, ensemble_options& options);

}  // namespace actio
