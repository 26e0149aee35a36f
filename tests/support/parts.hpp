// Parts that a build may be without.
#pragma once

#include <algorithm>

#include "actio/io/row_sink.hpp"

namespace actio::testing {

inline bool has_hdf5() { return std::ranges::find(sink_endings(), ".h5") != sink_endings().end(); }

}  // namespace actio::testing
