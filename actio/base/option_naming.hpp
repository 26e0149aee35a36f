// What options are called in errors, suggestions and certificates: the library does not know who reads them.
//
// Texts name an option by a mark, `@method`, or `@method=rk4` with a value, at the beginning of a word; `@'method'` is
// its name in quotes, and `@{run}` a command. Whoever speaks to people says once how marks are to read.
#pragma once

#include <string>
#include <string_view>

#include "actio/base/error.hpp"

namespace actio {

//            @method    @method=rk4    @'method'     as a place        @{run}
// words     'method'   method = rk4    'method'     option 'method'   'run'
// flags     --method   --method rk4    '--method'   --method          'actio run'
// keywords  method=    method=rk4      'method'     method=           run()
enum class option_naming { words, flags, keywords };

// For the whole process, from here on; words unless somebody says otherwise.
void name_options_as(option_naming naming);

// The text with its marks read out. What is no mark of a known option or command stays as it is.
std::string named_options(std::string_view text);
// A place that is an option, or a command (`@compare`), likewise; other places stay as they are.
source_place named_options(source_place place);

// A value that was typed for an option. Expressions and lists count their columns; other values stand at the option as
// a whole.
source_text typed_option(std::string_view name, std::string_view value);

// Where a value stands as a whole: the option without a column, or the place in a file.
source_place whole_place(const source_text& typed);

}  // namespace actio
