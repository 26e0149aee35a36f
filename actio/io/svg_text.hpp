// Text in drawings.
#pragma once

#include <string>
#include <string_view>

namespace actio {

// UTF-8 as it may stand in XML, between tags and in attributes; a mark replaces what is no character.
std::string escaped_for_xml(std::string_view text);

// About how wide common sans-serif fonts set it; accents that stand above another character need no room.
double text_width(std::string_view text, double size);

}  // namespace actio
