// A name for bytes that no others share.
#pragma once

#include <string>
#include <string_view>

namespace actio {

// SHA-256, as 64 hexadecimal digits.
std::string digest(std::string_view bytes);

}  // namespace actio
