// All contests. To add one: a folder with a file a competitor, and one line in main.cpp.
#pragma once

#include "common/contest.hpp"

namespace actio::bench {

contest double_pendulum_contest();
contest lagrange_top_contest();
contest kepler_contest();
contest outer_solar_system_contest();
contest three_body_contest();
contest pleiades_contest();
contest eccentric_kepler_contest();
contest arenstorf_contest();
contest pendulum_grid_contest();

}  // namespace actio::bench
