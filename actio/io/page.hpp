// What every page has: web/report/dist/report.html with the data of the page, as JSON, in place of a mark. The script
// of the page draws it.
#pragma once

#include <string>
#include <string_view>

namespace actio {

// `summary` is for browsers without scripts.
std::string page_with(std::string_view json, std::string_view title, std::string_view summary);

// JSON as it may stand in a script element: without `<`.
std::string escaped_for_script(std::string_view json);

// A number to draw: digits that nobody can see would only make the page longer.
double rounded_for_drawing(double value, int digits = 8);

}  // namespace actio
