#include "actio/io/png.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "actio/base/error.hpp"

namespace actio {

namespace {

using bytes = std::vector<std::uint8_t>;

// DEFLATE (RFC 1951), one block with codes of its own.

// A literal, or a match of `length` bytes so far back.
struct token {
  std::uint16_t value, distance;  // distance 0: a literal
};

constexpr std::array<std::uint16_t, 29> length_bases = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                        31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> length_bits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::size_t distance_codes = 30, literal_codes = 286, end_of_block = 256;

std::size_t length_code(std::size_t length) {
  return static_cast<std::size_t>(std::ranges::upper_bound(length_bases, length) - length_bases.begin()) - 1;
}
// Codes 2k and 2k + 1 have k − 1 more bits.
std::uint16_t distance_base(std::size_t code) {
  return static_cast<std::uint16_t>(code < 2 ? code + 1 : ((2 + code % 2) << (code / 2 - 1)) + 1);
}
unsigned distance_bits(std::size_t code) { return code < 2 ? 0 : static_cast<unsigned>(code / 2 - 1); }
std::size_t distance_code(std::size_t distance) {
  std::size_t code = distance_codes - 1;
  while (distance_base(code) > distance) --code;
  return code;
}

// Greedy: of the place where three bytes last stood alike.
std::vector<token> tokens_of(const bytes& data) {
  constexpr std::size_t window = 32768, longest = 258, shortest = 4, buckets = 1U << 15U;
  std::vector<std::size_t> last(buckets, data.size());
  std::vector<token> tokens;
  const auto bucket = [&](std::size_t at) {
    const std::uint32_t word =
        data[at] | static_cast<std::uint32_t>(data[at + 1]) << 8U | static_cast<std::uint32_t>(data[at + 2]) << 16U;
    return (word * 2654435761U) >> 17U;
  };
  for (std::size_t at = 0; at < data.size();) {
    std::size_t length = 0, from = data.size();
    if (at + 3 < data.size()) {
      from = std::exchange(last[bucket(at)], at);
      if (from < at && at - from < window) {
        const std::size_t most = std::min(longest, data.size() - at);
        while (length < most && data[from + length] == data[at + length]) ++length;
      }
    }
    if (length < shortest) {
      tokens.push_back({data[at++], 0});
      continue;
    }
    tokens.push_back({static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(at - from)});
    for (std::size_t k = 1; k < length && at + k + 3 < data.size(); ++k) last[bucket(at + k)] = at + k;
    at += length;
  }
  return tokens;
}

// Lengths of Huffman's codes, none longer than `most`: rare values count for more where they would be.
std::vector<std::uint8_t> code_lengths(std::vector<std::uint64_t> counts, unsigned most) {
  struct node {
    std::uint64_t count;
    std::size_t place;
    bool operator>(const node& other) const { return std::tie(count, place) > std::tie(other.count, other.place); }
  };
  while (true) {
    std::priority_queue<node, std::vector<node>, std::greater<>> queue;
    std::vector<std::size_t> parents(2 * counts.size(), 0);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] > 0) queue.push({counts[k], k});
    }
    std::vector<std::uint8_t> lengths(counts.size(), 0);
    if (queue.size() == 1) {
      lengths[queue.top().place] = 1;
      return lengths;
    }
    std::size_t next = counts.size();
    while (queue.size() > 1) {
      const node a = queue.top();
      queue.pop();
      const node b = queue.top();
      queue.pop();
      parents[a.place] = parents[b.place] = next;
      queue.push({a.count + b.count, next++});
    }
    unsigned longest = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] == 0) continue;
      unsigned length = 0;
      for (std::size_t at = k; at + 1 < next; at = parents[at]) ++length;
      lengths[k] = static_cast<std::uint8_t>(length);
      longest = std::max(longest, length);
    }
    if (longest <= most) return lengths;
    for (std::uint64_t& count : counts) count = count > 0 ? count / 2 + 1 : 0;
  }
}

class bit_writer {
 public:
  void put(std::uint32_t value, unsigned count) {
    held_ |= static_cast<std::uint64_t>(value) << bits_;
    for (bits_ += count; bits_ >= 8; bits_ -= 8, held_ >>= 8U) out_.push_back(static_cast<std::uint8_t>(held_));
  }
  bytes finish() {
    if (bits_ > 0) put(0, 8 - bits_);
    return std::move(out_);
  }

 private:
  bytes out_;
  std::uint64_t held_ = 0;
  unsigned bits_ = 0;
};

// Canonical codes, written from their first bit on.
class prefix_code {
 public:
  explicit prefix_code(std::vector<std::uint8_t> lengths) : lengths_(std::move(lengths)), codes_(lengths_.size(), 0) {
    std::uint32_t code = 0;
    for (unsigned length = 1; length <= 15; ++length, code <<= 1U) {
      for (std::size_t k = 0; k < lengths_.size(); ++k) {
        if (lengths_[k] != length) continue;
        for (unsigned b = 0; b < length; ++b) codes_[k] |= ((code >> b) & 1U) << (length - 1 - b);
        ++code;
      }
    }
  }
  void put(bit_writer& to, std::size_t k) const { to.put(codes_[k], lengths_[k]); }
  const std::vector<std::uint8_t>& lengths() const { return lengths_; }

 private:
  std::vector<std::uint8_t> lengths_;
  std::vector<std::uint32_t> codes_;
};

bytes deflated(const bytes& data) {
  const std::vector<token> tokens = tokens_of(data);
  std::vector<std::uint64_t> literals(literal_codes, 0), distances(distance_codes, 0), lengths(19, 0);
  literals[end_of_block] = 1;
  for (const token& t : tokens) {
    ++literals[t.distance == 0 ? t.value : 257 + length_code(t.value)];
    if (t.distance > 0) ++distances[distance_code(t.distance)];
  }
  if (std::ranges::max(distances) == 0) distances[0] = 1;
  const prefix_code literal(code_lengths(literals, 15)), distance(code_lengths(distances, 15));
  for (const auto* code : {&literal, &distance}) {
    for (const std::uint8_t length : code->lengths()) ++lengths[length];
  }
  const prefix_code length(code_lengths(lengths, 7));
  bit_writer to;
  to.put(1, 1);  // the last block,
  to.put(2, 2);  // with codes of its own
  to.put(literal_codes - 257, 5);
  to.put(distance_codes - 1, 5);
  to.put(19 - 4, 4);
  for (const unsigned k : {16U, 17U, 18U, 0U, 8U, 7U, 9U, 6U, 10U, 5U, 11U, 4U, 12U, 3U, 13U, 2U, 14U, 1U, 15U}) {
    to.put(length.lengths()[k], 3);
  }
  for (const auto* code : {&literal, &distance}) {
    for (const std::uint8_t l : code->lengths()) length.put(to, l);
  }
  for (const token& t : tokens) {
    if (t.distance == 0) {
      literal.put(to, t.value);
      continue;
    }
    const std::size_t of_length = length_code(t.value), of_distance = distance_code(t.distance);
    literal.put(to, 257 + of_length);
    to.put(t.value - length_bases[of_length], length_bits[of_length]);
    distance.put(to, of_distance);
    to.put(t.distance - distance_base(of_distance), distance_bits(of_distance));
  }
  literal.put(to, end_of_block);
  return to.finish();
}

void append_whole(std::string& to, std::uint32_t x) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) to += static_cast<char>((x >> shift) & 0xFFU);
}

std::uint32_t crc_of(std::string_view text) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0);
  }
  return ~crc;
}

std::uint32_t adler_of(const bytes& data) {
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t x : data) {
    a = (a + x) % 65521;
    b = (b + a) % 65521;
  }
  return (b << 16U) | a;
}

void append_chunk(std::string& to, std::string_view name, std::string_view contents) {
  append_whole(to, static_cast<std::uint32_t>(contents.size()));
  std::string chunk(name);
  chunk += contents;
  to += chunk;
  append_whole(to, crc_of(chunk));
}

// Lines with the number of their filter before them: as they are, or what they differ by from the left or from above,
// whichever is smallest.
bytes filtered(std::size_t width, std::size_t height, std::span<const std::uint8_t> grey) {
  bytes lines;
  for (std::size_t y = 0; y < height; ++y) {
    std::array<bytes, 3> ways;
    std::array<std::uint64_t, 3> sizes{};
    for (std::size_t x = 0; x < width; ++x) {
      const std::uint8_t now = grey[y * width + x], left = x > 0 ? grey[y * width + x - 1] : 0;
      const std::uint8_t above = y > 0 ? grey[(y - 1) * width + x] : 0;
      for (std::size_t f = 0; f < 3; ++f) {
        ways[f].push_back(static_cast<std::uint8_t>(now - (f == 1 ? left : f == 2 ? above : 0)));
        sizes[f] += static_cast<std::uint64_t>(std::abs(static_cast<std::int8_t>(ways[f].back())));
      }
    }
    const auto best = static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin());
    lines.push_back(static_cast<std::uint8_t>(best));
    lines.insert(lines.end(), ways[best].begin(), ways[best].end());
  }
  return lines;
}

bytes plain(std::size_t width, std::size_t height, std::span<const std::uint8_t> grey) {
  bytes lines;
  for (std::size_t y = 0; y < height; ++y) {
    lines.push_back(0);
    lines.insert(lines.end(), grey.begin() + static_cast<std::ptrdiff_t>(y * width),
                 grey.begin() + static_cast<std::ptrdiff_t>((y + 1) * width));
  }
  return lines;
}

}  // namespace

std::string png_of(std::size_t width, std::size_t height, std::span<const std::uint8_t> grey) {
  ACTIO_ASSERT(width > 0 && height > 0 && grey.size() == width * height);
  std::string best;
  for (const bytes& lines : {filtered(width, height, grey), plain(width, height, grey)}) {
    const bytes packed = deflated(lines);
    std::string stream("\x78\x01", 2);
    stream.append(packed.begin(), packed.end());
    append_whole(stream, adler_of(lines));
    if (best.empty() || stream.size() < best.size()) best = std::move(stream);
  }
  std::string header;
  append_whole(header, static_cast<std::uint32_t>(width));
  append_whole(header, static_cast<std::uint32_t>(height));
  header.append("\x08\x00\x00\x00\x00", 5);  // eight bits, grey
  std::string png("\x89PNG\r\n\x1a\n", 8);
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", best);
  append_chunk(png, "IEND", "");
  return png;
}

std::string base64_of(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      word = (word << 8U) | (k + j < bytes.size() ? static_cast<unsigned char>(bytes[k + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += k + j <= bytes.size() ? letters[(word >> (18 - 6 * j)) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace actio
