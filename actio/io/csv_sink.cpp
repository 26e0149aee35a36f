// Comma-separated values: one line a row, numbers with all their digits, names quoted as RFC 4180 has it.
#include <fmt/format.h>

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
  explicit csv_sink(const sink_request& request) : file_(request.path, request.keep_rows > 0) {
    std::string header;
    for (const std::string& name : request.columns) header += (header.empty() ? "" : ",") + column_name(name);
    header += '\n';
    if (request.keep_rows == 0) {
      file_.append(header);
      return;
    }
    const auto end = file_.end_of_lines(request.keep_rows + 1);
    if (!end || file_.head(header.size()) != header) {
      throw input_error("checkpoint-foreign",
                        fmt::format("'{}' does not hold the {} rows that the checkpoint speaks of", request.path.text,
                                    request.keep_rows),
                        request.path.origin, "leave --resume out to start afresh");
    }
    file_.truncate(*end);
    this->rows_ = request.keep_rows;
  }

  void append(std::span<const S> row) override {
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
    ++this->rows_;
    this->error_ = file_.error();
  }

  void flush() override {
    file_.flush();
    this->error_ = file_.error();
  }

 private:
  append_file file_;
  std::string line_;
};

}  // namespace

template <class S>
std::unique_ptr<row_sink<S>> open_csv(const sink_request& request) {
  return std::make_unique<csv_sink<S>>(request);
}

#define ACTIO_INSTANTIATE(S) template std::unique_ptr<row_sink<S>> open_csv<S>(const sink_request&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
