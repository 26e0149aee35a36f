// Writes the machine code of a collocation kernel.
#pragma once

#include <string>

#include "actio/backend/collocation_kernel.hpp"

namespace llvm {
class Module;
}

namespace actio::machine_code {

// `fixed` and `functions` as of any entry_point, or in the place of `fixed` a field_call; `table` and `work` as
// collocation_rows says. Returns a stage_outcome; argument_too_large only where code for any argument of a sine was not
// asked for.
using collocation_entry = int (*)(const void* fixed, const double* table, double* work, const void* const* functions);

// How a kernel evaluates a field that is not written into it: at rows (q, p, t), with or without what is behind the
// outputs of field_code::field.
struct field_call {
  void (*evaluate)(void* field, int with_slopes);
  void* field;
  double *at, *outputs;
};

// Straight-line code is fastest for small systems; loops over components, with rows in memory, keep that of large ones
// short, so that it is made in a fraction of the time. That of very large ones calls the field. The results of the
// first two are the same.
enum class collocation_form { straight, looped, calling };
// Of the first two.
collocation_form form_for(const collocation_code& code);

std::string make_collocation_object(const collocation_code& code, const collocation_rows& rows, collocation_form form,
                                    bool any_argument);

}  // namespace actio::machine_code
