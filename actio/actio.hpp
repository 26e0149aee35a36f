// The public interface in one include: systems, models, integrators, runs and their certificates.
#pragma once

#include "actio/mechanics/model.hpp"
#include "actio/simulate/run.hpp"
