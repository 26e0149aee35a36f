// Pictures as PNG files: read back by a small decoder of stored and Huffman-coded blocks.
#include "actio/io/png.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace actio {
namespace {

std::uint32_t whole_at(const std::string& bytes, std::size_t at) {
  std::uint32_t x = 0;
  for (std::size_t k = 0; k < 4; ++k) x = (x << 8U) | static_cast<unsigned char>(bytes.at(at + k));
  return x;
}

// RFC 1951, for one block with codes of its own.
class inflater {
 public:
  explicit inflater(const std::string& data) : data_(data) {}

  std::string all() {
    EXPECT_EQ(bits(1), 1U);
    EXPECT_EQ(bits(2), 2U);
    const std::size_t literals = 257 + bits(5), distances = 1 + bits(5), count = 4 + bits(4);
    constexpr std::array<int, 19> order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::vector<unsigned> lengths(19, 0);
    for (std::size_t k = 0; k < count; ++k) lengths[order[k]] = bits(3);
    const auto of_lengths = codes(lengths);
    lengths.clear();
    while (lengths.size() < literals + distances) lengths.push_back(symbol(of_lengths));
    const auto of_literals = codes({lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(literals)});
    const auto of_distances = codes({lengths.begin() + static_cast<std::ptrdiff_t>(literals), lengths.end()});
    std::string out;
    for (unsigned s = symbol(of_literals); s != 256; s = symbol(of_literals)) {
      if (s < 256) {
        out += static_cast<char>(s);
        continue;
      }
      unsigned length = 0, extra = 0;
      if (s == 285) {
        length = 258;
      } else if (s < 265) {
        length = s - 254;
      } else {
        extra = (s - 261) / 4;
        length = ((4 + (s - 265) % 4) << extra) + 3 + bits(extra);
      }
      const unsigned d = symbol(of_distances);
      const unsigned distance = d < 4 ? d + 1 : ((2 + d % 2) << (d / 2 - 1)) + 1 + bits(d / 2 - 1);
      for (unsigned k = 0; k < length; ++k) out += out.at(out.size() - distance);
    }
    return out;
  }

 private:
  using table = std::map<std::pair<unsigned, unsigned>, unsigned>;  // (length, code)
  unsigned bits(unsigned count) {
    unsigned x = 0;
    for (unsigned k = 0; k < count; ++k, ++at_) {
      x |= ((static_cast<unsigned char>(data_.at(at_ / 8)) >> (at_ % 8)) & 1U) << k;
    }
    return x;
  }
  static table codes(const std::vector<unsigned>& lengths) {
    table result;
    unsigned code = 0;
    for (unsigned length = 1; length < 16; ++length, code <<= 1U) {
      for (unsigned k = 0; k < lengths.size(); ++k) {
        if (lengths[k] == length) result[{length, code++}] = k;
      }
    }
    return result;
  }
  unsigned symbol(const table& from) {
    unsigned code = 0;
    for (unsigned length = 1; length < 16; ++length) {
      code = (code << 1U) | bits(1);
      if (const auto found = from.find({length, code}); found != from.end()) return found->second;
    }
    ADD_FAILURE() << "no code";
    return 256;
  }

  const std::string& data_;
  std::size_t at_ = 0;
};

std::vector<std::uint8_t> pixels_of(const std::string& png, std::size_t width, std::size_t height) {
  EXPECT_EQ(whole_at(png, 16), width);
  EXPECT_EQ(whole_at(png, 20), height);
  EXPECT_EQ(png.substr(37, 4), "IDAT");
  const std::string stream = png.substr(43, whole_at(png, 33) - 6);
  const std::string lines = inflater(stream).all();
  EXPECT_EQ(lines.size(), (width + 1) * height);
  std::vector<std::uint8_t> pixels(width * height);
  for (std::size_t y = 0; y < height; ++y) {
    const int filter = lines[y * (width + 1)];
    for (std::size_t x = 0; x < width; ++x) {
      const int left = x > 0 ? pixels[y * width + x - 1] : 0, above = y > 0 ? pixels[(y - 1) * width + x] : 0;
      pixels[y * width + x] = static_cast<std::uint8_t>(lines[y * (width + 1) + 1 + x] + (filter == 1   ? left
                                                                                          : filter == 2 ? above
                                                                                                        : 0));
    }
  }
  return pixels;
}

TEST(png, gives_the_pixels_back) {
  for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 3}, {400, 300}}) {
    for (int kind = 0; kind < 4; ++kind) {
      std::vector<std::uint8_t> grey;
      std::uint32_t state = 1;
      for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
          state = state * 1664525U + 1013904223U;
          const double smooth =
              100 + 90 * std::sin(0.03 * static_cast<double>(x)) * std::cos(0.02 * static_cast<double>(y));
          grey.push_back(static_cast<std::uint8_t>(kind == 0   ? 9
                                                   : kind == 1 ? smooth
                                                   : kind == 2 ? state >> 24U
                                                               : (x / 13 + y / 7) % 5));
        }
      }
      const std::string png = png_of(width, height, grey);
      EXPECT_EQ(pixels_of(png, width, height), grey) << kind << ", " << width;
      EXPECT_LT(png.size(), kind == 2 || width < 400 ? 125'000U : 40'000U);
    }
  }
}

TEST(base64, is_that_of_the_standard) {
  EXPECT_EQ(base64_of(""), "");
  EXPECT_EQ(base64_of("f"), "Zg==");
  EXPECT_EQ(base64_of("fo"), "Zm8=");
  EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace actio
