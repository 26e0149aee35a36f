// What the program says: results on standard output, notes on standard error. Nothing here throws.
//
// Results that cannot be written make the program end with status 1; notes that cannot be written are lost.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace actio::cli {

// Before anything is opened: the three standard descriptors exist, so that no file takes their place, and a reader that
// goes away or a limit on file sizes is an error of the write, not the end of the process.
void prepare_console();

void print_text(std::string_view text);
void note_text(std::string_view text);

template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}
template <class... Values>
void note(fmt::format_string<Values...> format, Values&&... values) {
  note_text(fmt::format(format, std::forward<Values>(values)...));
}

// Brings everything printed to where it goes.
void flush_console();

// What went wrong with the results so far, or "".
const std::string& console_error();

}  // namespace actio::cli
