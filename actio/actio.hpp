// The public interface in one include: systems, models, integrators, runs and their certificates, and whole simulations
// by options.
#pragma once

#include "actio/api/ensemble_simulation.hpp"
#include "actio/api/simulation.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/run.hpp"
