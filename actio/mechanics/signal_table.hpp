// The table [signals.NAME] of a model: samples beside the model or inside it.
//
//   [signals.u]
//   file = "u.csv"             # with columns time and value, in the folder of the model or below it
//   interpolation = "cubic"    # or "linear", the default
//   [signals.w]
//   samples = [[0, 0], [1, 2.5], [2, 0]]    # times and values
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actio/expr/sample_table.hpp"
#include "actio/mechanics/model_file.hpp"

namespace actio {

// Throws wrong-type, unknown-key, missing-key, unknown-option-value, file-unreadable, path-outside, signal-column,
// signal-times, signal-too-short, bad-number; places are those of the model file `file`, or of the file with the
// samples.
std::shared_ptr<const sample_table> read_signal(const file_entry& entry, const std::string& file);

// The text of a model whose signals stand in it, instead of in files beside it: the keys `file` of `root`, which the
// text was read into, replaced by `samples`.
std::string with_samples_inside(const std::string& text, const file_value& root, const std::string& file);

// [[t, v], …] as a value of a model file.
file_value samples_value(const sample_table& samples);

}  // namespace actio
