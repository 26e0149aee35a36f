#include "actio/io/row_sink.hpp"

#include <fmt/format.h>

#include "actio/base/scalar.hpp"

namespace actio {

const std::vector<std::string>& sink_endings() {
  static const std::vector<std::string> endings{
      ".csv",
      ".npy",
#ifdef ACTIO_WITH_HDF5
      ".h5",
#endif
  };
  return endings;
}

std::vector<std::string> files_of(const sink_request& request) {
  const std::string& path = request.path.text;
  std::vector<std::string> files{path};
  if (path.ends_with(".h5")) return files;
  for (const sink_table& table : request.more) {
    files.push_back(path);
    files.back().insert(path.rfind('.'), "." + table.name);
  }
  return files;
}

template <class S>
void row_sink<S>::append_to(std::size_t, std::span<const S>) {
  ACTIO_ASSERT(false);  // a sink without other tables
}

namespace {

// A file of its own for every table.
template <class S>
class files_sink final : public row_sink<S> {
 public:
  explicit files_sink(std::vector<std::unique_ptr<row_sink<S>>> sinks) : sinks_(std::move(sinks)) {}

  void append(std::span<const S> row) override {
    sinks_[0]->append(row);
    this->rows_ = sinks_[0]->rows();
    note_errors();
  }
  void append_to(std::size_t table, std::span<const S> row) override {
    sinks_[1 + table]->append(row);
    note_errors();
  }
  void flush() override {
    for (auto& sink : sinks_) sink->flush();
    note_errors();
  }
  void close() override {
    for (auto& sink : sinks_) sink->close();
    note_errors();
  }
  void annotate(const std::string& name, const std::string& text) override { sinks_[0]->annotate(name, text); }

 private:
  void note_errors() {
    for (const auto& sink : sinks_) {
      if (!this->failed()) this->error_ = sink->error();
    }
  }
  std::vector<std::unique_ptr<row_sink<S>>> sinks_;
};

template <class S>
std::unique_ptr<row_sink<S>> open_files(const sink_request& request,
                                        std::unique_ptr<row_sink<S>> (*open)(const sink_request&)) {
  if (request.more.empty()) return open(request);
  std::vector<std::unique_ptr<row_sink<S>>> sinks;
  sinks.push_back(open(request));
  const std::vector<std::string> files = files_of(request);
  for (std::size_t k = 0; k < request.more.size(); ++k) {
    const source_text path{files[1 + k], request.path.origin, request.path.role};
    sinks.push_back(open({path, request.more[k].columns, request.metadata}));
  }
  return std::make_unique<files_sink<S>>(std::move(sinks));
}

}  // namespace

template <class S>
std::unique_ptr<row_sink<S>> open_sink(const sink_request& request) {
  const std::string& path = request.path.text;
  if (path.ends_with(".csv")) return open_files<S>(request, open_csv<S>);
  if (path.ends_with(".npy")) return open_files<S>(request, open_npy<S>);
#ifdef ACTIO_WITH_HDF5
  if (path.ends_with(".h5")) return open_hdf5<S>(request);
#endif
  throw input_error("unknown-option-value", fmt::format("the output '{}' has no known format", path),
                    request.path.origin, fmt::format("end its name with {}", fmt::join(sink_endings(), " or ")));
}

#define ACTIO_INSTANTIATE(S)  \
  template class row_sink<S>; \
  template std::unique_ptr<row_sink<S>> open_sink<S>(const sink_request&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
