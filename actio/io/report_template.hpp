// Texts that the build puts into the library (see CMakeLists.txt).
#pragma once

#include <string_view>

namespace actio {

std::string_view report_template();  // web/report/dist/report.html
std::string_view references_text();  // docs/references.bib

}  // namespace actio
