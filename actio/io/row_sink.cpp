#include "actio/io/row_sink.hpp"

#include <fmt/format.h>

#include "actio/base/scalar.hpp"

namespace actio {

const std::vector<std::string>& sink_endings() {
  static const std::vector<std::string> endings{
      ".csv", ".npy",
#ifdef ACTIO_WITH_HDF5
      ".h5",
#endif
  };
  return endings;
}

template <class S>
std::unique_ptr<row_sink<S>> open_sink(const sink_request& request) {
  const std::string& path = request.path.text;
  if (path.ends_with(".csv")) return open_csv<S>(request);
  if (path.ends_with(".npy")) return open_npy<S>(request);
#ifdef ACTIO_WITH_HDF5
  if (path.ends_with(".h5")) return open_hdf5<S>(request);
#endif
  throw input_error("unknown-option-value", fmt::format("the output '{}' has no known format", path), request.path.origin,
                    fmt::format("end its name with {}", fmt::join(sink_endings(), " or ")));
}

#define ACTIO_INSTANTIATE(S) template std::unique_ptr<row_sink<S>> open_sink<S>(const sink_request&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
