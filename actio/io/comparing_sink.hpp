// A sink that writes nothing: rows and texts that come in are compared with those of a file, bit for bit.
//
// Whatever makes a file can so be repeated against it. The first difference is told in words; it stands where the file
// lacks rows, columns or texts just as where it has too many. NaN equals NaN.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actio/io/row_sink.hpp"
#include "actio/io/trajectory_file.hpp"

namespace actio {

// The first difference between two JSON texts, "" where there is none: numbers and texts by their values, keys whatever
// their order. What does not belong to the result is left out: times in seconds, the backend, how a method was
// chosen, what is suggested, and why an observer ended the run.
std::string json_difference(const std::string& stored, const std::string& now);

// How far the run or the ensemble got that a certificate or a summary says was interrupted: its number under `key`;
// nothing for others.
std::optional<std::size_t> interruption_in(const std::string& json, const std::string& key);

template <class S>
class comparing_sink final : public row_sink<S> {
 public:
  // The difference is told to `first_difference`, which outlives the sink. Throws what trajectory_file::open throws.
  comparing_sink(const std::string& path, const std::vector<std::string>& columns, const std::vector<sink_table>& more,
                 std::string& first_difference);

  void append(std::span<const S> row) override { compare(tables_[0], row); }
  void append_to(std::size_t table, std::span<const S> row) override { compare(tables_[1 + table], row); }
  void flush() override {}
  void close() override { compare_counts(); }
  void annotate(const std::string& name, const std::string& text) override;
  std::size_t kept_rows() const override { return tables_[0].rows; }

 private:
  struct table {
    std::string name;  // "" for the main one
    trajectory_file file;
    std::size_t rows = 0;                               // compared
    std::vector<std::vector<std::string>> stored = {};  // a block of them, column by column
  };
  void open(const std::string& path, const std::string& name, const std::vector<std::string>& columns);
  void compare(table& with, std::span<const S> row);
  void compare_counts();
  void note(const std::string& difference);

  std::string& first_difference_;
  std::vector<table> tables_;  // the main one first
};

}  // namespace actio
