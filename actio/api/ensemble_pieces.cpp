#include "actio/api/ensemble_pieces.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "actio/io/append_file.hpp"
#include "actio/io/checkpoint.hpp"
#include "actio/io/file_path.hpp"
#include "actio/io/own_file.hpp"
#include "actio/io/trajectory_file.hpp"

namespace actio {

namespace {

constexpr std::string_view piece_mark = ".piece-";

// All files of an output, the main one first.
std::vector<std::string> files_at(const std::string& output, const ensemble_ledger& ledger) {
  std::vector<std::string> files{output};
  if (output.ends_with(".h5")) return files;
  for (const sink_table& table : ledger.layout.more_tables()) files.push_back(table_file(output, table.name));
  return files;
}

// The number of a piece with this file name, or nothing.
std::optional<std::size_t> number_of(std::string_view name, std::string_view before, std::string_view ending) {
  if (!name.starts_with(before) || !name.ends_with(ending) || name.size() <= before.size() + ending.size()) return {};
  name.remove_prefix(before.size());
  name.remove_suffix(ending.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return {};
  return number;
}

}  // namespace

std::string piece_path(const std::string& output, std::size_t number) {
  const std::filesystem::path path = followed(output);
  const std::string name = fmt::format("{}{}{}{}", path.stem().string(), piece_mark, number, path.extension().string());
  return (path.parent_path() / name).string();
}

ensemble_pieces pieces_beside(const std::string& output) {
  const std::filesystem::path path = followed(output);
  const std::string before = path.stem().string() + std::string(piece_mark), ending = path.extension().string();
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  ensemble_pieces pieces;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    const auto number = number_of(entry.path().filename().string(), before, ending);
    if (!number) continue;
    pieces.next_number = std::max(pieces.next_number, *number + 1);
    const std::string piece = piece_path(output, *number);
    if (const auto saved = read_checkpoint(checkpoint_path(piece))) {
      pieces.found.push_back({piece, ledger_in(*saved, checkpoint_path(piece))});
    }
  }
  std::ranges::sort(pieces.found, {}, &ensemble_source::path);
  return pieces;
}

void require_same(const ensemble_ledger& found, const ensemble_ledger& now, const std::string& path) {
  const std::string other = difference(now, found);
  if (!other.empty()) {
    throw input_error("checkpoint-foreign", fmt::format("the checkpoint belongs to an ensemble with another {}", other),
                      {path, 0, 0}, "repeat the options of that ensemble, or leave @resume out to start afresh");
  }
  const trajectory_range before = found.range(), after = now.range();
  const bool goes_on = found.is_piece ? before.first >= after.first && before.end <= after.end
                                      : before.first == after.first && before.first + found.rows <= after.end;
  if (goes_on) return;
  throw input_error("checkpoint-foreign",
                    fmt::format("the checkpoint is of part {} of the ensemble, with trajectories {} to {}",
                                to_text(found.report.part.value_or(ensemble_part())), before.first, before.end - 1),
                    {path, 0, 0}, "repeat that @part, or leave @resume out to start afresh");
}

void require_own_output(const std::string& output, const ensemble_ledger& now) {
  const std::filesystem::path path = followed(output);
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown) || std::filesystem::file_size(path, unknown) == 0) return;
  const char* const cure = "name another @output, or leave @resume out to start afresh, which replaces the file";
  if (!output.ends_with(".h5")) {
    throw input_error("checkpoint-foreign", "the file is there, but no checkpoint that says of which ensemble it is",
                      {output, 0, 0}, cure);
  }
  const trajectory_file file = trajectory_file::open(path.string());
  ensemble_ledger found = now;
  for (auto& [name, text] : found.made_by) text = file.text(name);
  const std::string other = difference(now, found);
  if (other.empty()) return;
  throw input_error("checkpoint-foreign", fmt::format("the file is of a finished ensemble with another {}", other),
                    {output, 0, 0}, cure);
}

// In this order, so that a process that is killed on the way leaves either the output or the piece.
bool make_piece_of(const std::string& output, std::size_t number) {
  const std::string from = followed(output), to = piece_path(output, number);
  const auto ledger = std::filesystem::exists(from) ? ledger_of(from) : std::nullopt;
  if (!ledger) return false;
  const std::string error = write_checkpoint(checkpoint_path(to), to_snapshot(*ledger));
  if (!error.empty()) throw output_unwritable({checkpoint_path(to), {}, "checkpoint"}, error);
  const std::vector<std::string> old_files = files_at(from, *ledger), new_files = files_at(to, *ledger);
  for (std::size_t k = old_files.size(); k-- > 0;) std::filesystem::rename(old_files[k], new_files[k]);
  remove_own_file(checkpoint_path(from), checkpoint_beginning);
  return true;
}

std::vector<trajectory_range> held_in(const std::vector<ensemble_source>& pieces) {
  std::vector<trajectory_range> held;
  trajectory_result one;
  for (const ensemble_source& piece : pieces) {
    ensemble_reader reader(piece.path, piece.ledger);
    while (reader.next(one)) append_to(held, one.index);
  }
  return held;
}

void remove_pieces(const std::vector<ensemble_source>& pieces) {
  for (const ensemble_source& piece : pieces) {
    const source_text path{piece.path, {piece.path, 0, 0}, "piece"};
    const output_lock lock(path);  // takes what a killed process left beside it
    for (const std::string& file : files_at(piece.path, piece.ledger)) std::filesystem::remove(file);
    remove_own_file(checkpoint_path(piece.path), checkpoint_beginning);
  }
}

}  // namespace actio
