// NumPy's .npy: a one-dimensional structured array, one field a column. Higher precisions are stored as text.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "actio/base/scalar.hpp"
#include "actio/io/append_file.hpp"
#include "actio/io/row_sink.hpp"

namespace actio {

namespace {

template <class S>
std::string npy_header(const std::vector<std::string>& columns, std::size_t rows) {
  const std::string type = std::same_as<S, double> ? "<f8" : fmt::format("|S{}", text_width<S>());
  std::string fields;
  for (std::string name : columns) {
    std::ranges::replace_if(name, [](char c) { return c == '\'' || c == '\\' || c == '\n'; }, '_');
    fields += fmt::format("('{}', '{}'), ", name, type);
  }
  // The count is padded so that it can grow in place.
  std::string text = fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({:>20},), }}", fields, rows);
  const std::size_t prefix = 12;  // magic, version 2.0, four bytes of length
  text.append(63 - (prefix + text.size()) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x02\x00", 8);
  for (int k = 0; k < 4; ++k) header += static_cast<char>((text.size() >> (8 * k)) & 0xff);
  return header + text;
}

template <class S>
class npy_sink final : public row_sink<S> {
 public:
  explicit npy_sink(const sink_request& request)
      : columns_(request.columns),
        width_(std::same_as<S, double> ? 8 : text_width<S>()),
        file_(request.path, request.keep_rows > 0) {
    const std::string header = npy_header<S>(columns_, 0);
    if (request.keep_rows == 0) {
      file_.append(header);
      return;
    }
    const std::string found = file_.head(header.size());
    if (found.size() != header.size() || found.substr(0, 12) != header.substr(0, 12)) {
      throw input_error("checkpoint-foreign",
                        fmt::format("'{}' is not the file that the checkpoint speaks of", request.path.text),
                        request.path.origin, "leave --resume out to start afresh");
    }
    this->rows_ = request.keep_rows;
    file_.truncate(header.size() + request.keep_rows * width_ * columns_.size());
  }
  ~npy_sink() override { flush(); }

  void append(std::span<const S> row) override {
    record_.assign(width_ * row.size(), '\0');
    for (std::size_t k = 0; k < row.size(); ++k) {
      if constexpr (std::same_as<S, double>) {
        std::memcpy(record_.data() + 8 * k, &row[k], 8);
      } else {
        const std::string digits = to_digits(row[k]);
        std::memcpy(record_.data() + width_ * k, digits.data(), std::min(width_, digits.size()));
      }
    }
    file_.append(record_);
    ++this->rows_;
    this->error_ = file_.error();
  }

  void flush() override {
    file_.overwrite(npy_header<S>(columns_, this->rows_));
    file_.flush();
    this->error_ = file_.error();
  }

 private:
  std::vector<std::string> columns_;
  std::size_t width_;
  append_file file_;
  std::string record_;
};

}  // namespace

template <class S>
std::unique_ptr<row_sink<S>> open_npy(const sink_request& request) {
  return std::make_unique<npy_sink<S>>(request);
}

#define ACTIO_INSTANTIATE(S) template std::unique_ptr<row_sink<S>> open_npy<S>(const sink_request&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
