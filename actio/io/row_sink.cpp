#include "actio/io/row_sink.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "actio/base/scalar.hpp"
#include "actio/io/file_path.hpp"
#include "actio/io/own_file.hpp"

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

namespace {

void require_known_format(const source_text& path) {
#ifndef ACTIO_WITH_HDF5
  if (path.text.ends_with(".h5")) {
    throw input_error("format-unavailable",
                      fmt::format("'{}' cannot be written: this build of actio has no HDF5", path.text), path.origin,
                      fmt::format("end its name with {}, or build actio with HDF5", fmt::join(sink_endings(), " or ")));
  }
#endif
  if (std::ranges::none_of(sink_endings(), [&](const std::string& ending) { return path.text.ends_with(ending); })) {
    throw input_error("unknown-option-value", fmt::format("the output '{}' has no known format", path.text),
                      path.origin, fmt::format("end its name with {}", fmt::join(sink_endings(), " or ")));
  }
}

}  // namespace

std::vector<std::string> files_of(const sink_request& request) {
  require_known_format(request.path);
  const std::string& path = request.path.text;
  std::vector<std::string> files{path};
  if (path.ends_with(".h5")) return files;
  for (const sink_table& table : request.more) files.push_back(table_file(path, table.name));
  return files;
}

std::string table_file(const std::string& path, const std::string& table) {
  std::string file = path;
  return file.insert(path.rfind('.'), "." + table);
}

std::vector<std::string> stored_names(const source_text& path, const std::vector<std::string>& columns) {
  const std::string_view unfit = path.text.ends_with(".h5") ? "/" : path.text.ends_with(".npy") ? "'\\" : "";
  std::vector<std::string> names = columns;
  std::set<std::string_view> taken;
  for (std::string& name : names) {
    if (!path.text.ends_with(".csv")) {
      const auto cannot_stay = [&](char c) {
        return (static_cast<unsigned char>(c) < ' ') || unfit.find(c) != std::string_view::npos;
      };
      std::ranges::replace_if(name, cannot_stay, '_');
      if (name.empty() || name == ".") name = "_";
    }
    if (taken.insert(name).second) continue;
    throw input_error("duplicate-name", fmt::format("two columns of '{}' would be called '{}'", path.text, name),
                      path.origin, "rename what the model calls so");
  }
  return names;
}

template <class S>
void row_sink<S>::append_to(std::size_t, std::span<const S>) {
  ACTIO_ASSERT(false);  // a sink without other tables
}

namespace {

// A file of its own for every table. The others reach the disk first: what the main one lists is complete.
template <class S>
class files_sink final : public row_sink<S> {
 public:
  explicit files_sink(std::vector<std::unique_ptr<row_sink<S>>> sinks) : sinks_(std::move(sinks)) {}

  void append(std::span<const S> row) override {
    if (!this->failed()) sinks_.back()->append(row);
    note_errors();
  }
  void append_to(std::size_t table, std::span<const S> row) override {
    if (!this->failed()) sinks_[table]->append(row);
    note_errors();
  }
  void flush() override {
    for (auto& sink : sinks_) {
      if (!this->failed()) sink->flush();
      note_errors();
    }
  }
  void close() override {
    for (auto& sink : sinks_) {
      if (!this->failed()) sink->close();
      note_errors();
    }
  }
  void annotate(const std::string& name, const std::string& text) override { sinks_.back()->annotate(name, text); }
  std::size_t kept_rows() const override { return sinks_.back()->kept_rows(); }

 private:
  void note_errors() {
    for (const auto& sink : sinks_) {
      if (!this->failed()) this->error_ = sink->error();
    }
  }
  std::vector<std::unique_ptr<row_sink<S>>> sinks_;  // the main one last
};

template <class S>
using file_opener = std::unique_ptr<row_sink<S>> (*)(const sink_request&, bool held);

template <class S>
std::unique_ptr<row_sink<S>> open_files(const sink_request& request, file_opener<S> open) {
  if (request.more.empty()) return open(request, false);
  std::vector<std::unique_ptr<row_sink<S>>> sinks;
  const std::vector<std::string> files = files_of(request);
  for (std::size_t k = 0; k < request.more.size(); ++k) {
    const source_text path{files[1 + k], request.path.origin, request.path.role};
    sinks.push_back(open({path, request.more[k].columns, request.metadata, request.more[k].keep_rows}, false));
  }
  sinks.push_back(open(request, true));
  return std::make_unique<files_sink<S>>(std::move(sinks));
}

template <class S>
std::unique_ptr<row_sink<S>> open_format(const sink_request& request) {
  const std::string& path = request.path.text;
  if (path.ends_with(".csv")) return open_files<S>(request, open_csv<S>);
  if (path.ends_with(".npy")) return open_files<S>(request, open_npy<S>);
#ifdef ACTIO_WITH_HDF5
  if (path.ends_with(".h5")) return open_hdf5<S>(request);
#endif
  ACTIO_ASSERT(false);
  return nullptr;
}

using output_locks = std::vector<std::shared_ptr<output_lock>>;

output_locks locks_for(const sink_request& request) {
  const std::vector<std::string> files = files_of(request);
  output_locks locks{request.lock ? request.lock : std::make_shared<output_lock>(request.path)};
  for (std::size_t k = 1; k < files.size(); ++k) {
    locks.push_back(std::make_shared<output_lock>(source_text{files[k], request.path.origin, request.path.role}));
  }
  return locks;
}

}  // namespace

template <class S>
std::unique_ptr<row_sink<S>> open_sink(const sink_request& request) {
  require_known_format(request.path);
  const std::string& path = request.path.text;
  sink_request named = request;
  named.columns = stored_names(request.path, request.columns);
  for (sink_table& table : named.more) table.columns = stored_names(request.path, table.columns);
  output_locks locks = locks_for(named);
  if (named.keep_rows == 0) {
    const std::string checkpoint = beside(path, ".checkpoint");
    require_own_file(checkpoint, checkpoint_beginning, request.path);
    remove_own_file(checkpoint, checkpoint_beginning);
  }
  auto sink = open_format<S>(named);
  sink->keep(std::move(locks));
  return sink;
}

#define ACTIO_INSTANTIATE(S)  \
  template class row_sink<S>; \
  template std::unique_ptr<row_sink<S>> open_sink<S>(const sink_request&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
