// Comma-separated values: one line a row, numbers with all their digits, names quoted as RFC 4180 has it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "actio/base/scalar.hpp"
#include "actio/io/append_file.hpp"
#include "actio/io/row_sink.hpp"

namespace actio {

namespace {

std::string column_name(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string result = "\"";
  for (char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

template <class S>
class csv_sink final : public row_sink<S> {
 public:
  csv_sink(const sink_request& request, bool held) : kept_(request.keep_rows), file_(request.path, kept_ > 0, held) {
    std::string header;
    for (const std::string& name : request.columns) header += (header.empty() ? "" : ",") + column_name(name);
    header += '\n';
    if (kept_ == 0) {
      file_.append(header);
      return;
    }
    // A quoted name may have lines of its own.
    const auto end = file_.end_of_lines(kept_ + static_cast<std::size_t>(std::ranges::count(header, '\n')));
    if (!end || file_.head(header.size()) != header) {
      throw input_error(
          "checkpoint-foreign",
          fmt::format("'{}' does not hold the {} rows that the checkpoint speaks of", request.path.text, kept_),
          request.path.origin, "leave @resume out to start afresh");
    }
    file_.truncate(*end);
  }

  void append(std::span<const S> row) override {
    if (this->failed()) return;
    line_.clear();
    for (const S& x : row) {
      if (!line_.empty()) line_ += ',';
      if constexpr (std::same_as<S, double>) {
        fmt::format_to(std::back_inserter(line_), "{}", x);
      } else {
        line_ += to_digits(x);
      }
    }
    line_ += '\n';
    file_.append(line_);
    this->error_ = file_.error();
  }

  void flush() override {
    file_.flush();
    this->error_ = file_.error();
  }

  std::size_t kept_rows() const override {
    return kept_ > 0 ? kept_ + file_.records() : std::max<std::size_t>(file_.records(), 1) - 1;
  }

 private:
  std::size_t kept_;  // from before
  append_file file_;
  std::string line_;
};

}  // namespace

template <class S>
std::unique_ptr<row_sink<S>> open_csv(const sink_request& request, bool held) {
  return std::make_unique<csv_sink<S>>(request, held);
}

#define ACTIO_INSTANTIATE(S) template std::unique_ptr<row_sink<S>> open_csv<S>(const sink_request&, bool);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
