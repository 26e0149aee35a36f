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

}  // namespace

std::string csv_header(const std::vector<std::string>& columns) {
  std::string header;
  for (const std::string& name : columns) header += (header.empty() ? "" : ",") + column_name(name);
  return header + '\n';
}

namespace {

template <class S>
void write_line(std::span<const S> row, std::string& line) {
  line.clear();
  for (const S& x : row) {
    if (!line.empty()) line += ',';
    const bool is_usual = std::same_as<S, double> && is_finite(x);
    if constexpr (std::same_as<S, double>) {
      if (is_usual) fmt::format_to(std::back_inserter(line), "{}", x);
    }
    if (!is_usual) line += to_digits(x);  // a NaN has no sign
  }
  line += '\n';
}

// Rows that somebody takes at once.
template <class S>
class line_sink final : public row_sink<S> {
 public:
  line_sink(const std::vector<std::string>& columns, std::function<void(std::string_view)> to) : to_(std::move(to)) {
    to_(csv_header(columns));
  }
  void append(std::span<const S> row) override {
    write_line(row, line_);
    to_(line_);
    ++rows_;
  }
  void flush() override {}
  std::size_t kept_rows() const override { return rows_; }

 private:
  std::function<void(std::string_view)> to_;
  std::string line_;
  std::size_t rows_ = 0;
};

template <class S>
class csv_sink final : public row_sink<S> {
 public:
  csv_sink(const sink_request& request, bool held) : kept_(request.keep_rows), file_(request.path, kept_ > 0, held) {
    const std::string header = csv_header(request.columns);
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
    write_line(row, line_);
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

template <class S>
std::unique_ptr<row_sink<S>> csv_lines(const std::vector<std::string>& columns,
                                       std::function<void(std::string_view)> to) {
  return std::make_unique<line_sink<S>>(columns, std::move(to));
}

#define ACTIO_INSTANTIATE(S)                                                          \
  template std::unique_ptr<row_sink<S>> open_csv<S>(const sink_request&, bool);       \
  template std::unique_ptr<row_sink<S>> csv_lines<S>(const std::vector<std::string>&, \
                                                     std::function<void(std::string_view)>);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
