// NumPy's .npy: a one-dimensional structured array, one field a column. Higher precisions are stored as text.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "actio/base/scalar.hpp"
#include "actio/io/append_file.hpp"
#include "actio/io/row_sink.hpp"

namespace actio {

namespace {

constexpr std::size_t count_width = 20;

std::string count_text(std::size_t rows) { return fmt::format("{:>{}}", rows, count_width); }

}  // namespace

bool npy_header::fits(const std::string& head) const {
  const auto frame = [&](std::string header) {  // the bytes that do not depend on the count
    return header.size() < count_at + count_width ? header : header.replace(count_at, count_width, count_width, ' ');
  };
  return frame(head) == frame(bytes);
}

// The count can grow in place.
template <class S>
npy_header npy_header_of(const std::vector<std::string>& columns) {
  const std::string type = std::same_as<S, double> ? "<f8" : fmt::format("|S{}", text_width<S>());
  std::string fields;
  bool is_ascii = true;
  for (const std::string& name : columns) {
    fields += fmt::format("('{}', '{}'), ", name, type);
    is_ascii = is_ascii && std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  }
  std::string text = fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': (", fields);
  const std::size_t prefix = 12;  // magic, version, four bytes of length
  npy_header header;
  header.count_at = prefix + text.size();
  text += count_text(0) + ",), }";
  text.append(63 - (prefix + text.size()) % 64, ' ');
  text += '\n';
  // Version 3.0 is 2.0 with names in UTF-8; older readers do not know it.
  header.bytes = std::string("\x93NUMPY", 6) + (is_ascii ? '\x02' : '\x03') + '\0';
  for (int k = 0; k < 4; ++k) header.bytes += static_cast<char>((text.size() >> (8 * k)) & 0xff);
  header.bytes += text;
  return header;
}

namespace {

// The count is written after the rows, and lowered before rows are cut off: at any moment the file has at least as many
// rows as it says, and NumPy reads as many as it says.
template <class S>
class npy_sink final : public row_sink<S> {
 public:
  npy_sink(const sink_request& request, bool held)
      : width_(std::same_as<S, double> ? 8 : text_width<S>()),
        kept_(request.keep_rows),
        header_(npy_header_of<S>(request.columns)),
        file_(request.path, kept_ > 0, held) {
    if (kept_ == 0) {
      file_.append(header_.bytes);
      return;
    }
    const auto foreign = [&](const std::string& why) {
      return input_error("checkpoint-foreign", fmt::format("'{}' {}", request.path.text, why), request.path.origin,
                         "leave @resume out to start afresh");
    };
    if (!header_.fits(file_.head(header_.bytes.size()))) {
      throw foreign("is not the file that the checkpoint speaks of");
    }
    const std::uint64_t size = header_.bytes.size() + kept_ * width_ * request.columns.size();
    if (file_.size() < size) {
      throw foreign(fmt::format("does not hold the {} rows that the checkpoint speaks of", kept_));
    }
    write_count();
    file_.truncate(size);
  }
  ~npy_sink() override { flush(); }

  void append(std::span<const S> row) override {
    if (this->failed()) return;
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
    if (!file_.error().empty()) flush();
  }

  void flush() override {
    file_.flush();
    if (kept_ > 0 || file_.records() > 0) write_count();
    file_.flush();
    this->error_ = file_.error();
  }

  std::size_t kept_rows() const override {
    return kept_ > 0 ? kept_ + file_.records() : std::max<std::size_t>(file_.records(), 1) - 1;
  }

 private:
  void write_count() { file_.overwrite(header_.count_at, count_text(kept_rows())); }

  std::size_t width_, kept_;  // bytes of a number; rows from before
  npy_header header_;
  append_file file_;
  std::string record_;
};

}  // namespace

template <class S>
std::unique_ptr<row_sink<S>> open_npy(const sink_request& request, bool held) {
  return std::make_unique<npy_sink<S>>(request, held);
}

#define ACTIO_INSTANTIATE(S)                                                    \
  template std::unique_ptr<row_sink<S>> open_npy<S>(const sink_request&, bool); \
  template npy_header npy_header_of<S>(const std::vector<std::string>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
