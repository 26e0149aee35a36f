// Pieces of an ensemble: files beside the output in which processes leave what each has done, until they are joined.
#pragma once

#include <string>
#include <vector>

#include "actio/api/ensemble_merge.hpp"

namespace actio {

// "run.piece-3.h5" beside "run.h5".
std::string piece_path(const std::string& output, std::size_t number);

struct ensemble_pieces {
  std::vector<ensemble_source> found;
  std::size_t next_number = 1;  // beyond those of all files that have such a name
};

// The pieces beside an output. Throws checkpoint-damaged.
ensemble_pieces pieces_beside(const std::string& output);

// Throws checkpoint-foreign where `found` belongs to another ensemble than `now`, or to other trajectories of it.
void require_same(const ensemble_ledger& found, const ensemble_ledger& now, const std::string& path);

// Nothing is left to go on from, but the output is there: throws checkpoint-foreign where it is of another ensemble than
// `now`, or where its format does not say of which.
void require_own_output(const std::string& output, const ensemble_ledger& now);

// The output itself becomes a piece, where it has the checkpoint of an ensemble: a process that wrote it alone was
// ended, or it is a complete part. Returns whether it did. Throws output-unwritable.
bool make_piece_of(const std::string& output, std::size_t number);

// Trajectories that the pieces hold. Throws what ensemble_reader throws.
std::vector<trajectory_range> held_in(const std::vector<ensemble_source>& pieces);

// Removes pieces with all that stands beside them. Throws output-in-use where a process still writes one.
void remove_pieces(const std::vector<ensemble_source>& pieces);

}  // namespace actio
