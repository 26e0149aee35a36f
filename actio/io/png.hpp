// Pictures in grey as PNG files (ISO/IEC 15948): what pages carry as data.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace actio {

// `grey` has a row of `width` values a line, from the top.
std::string png_of(std::size_t width, std::size_t height, std::span<const std::uint8_t> grey);

std::string base64_of(std::string_view bytes);

}  // namespace actio
