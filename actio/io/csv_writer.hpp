// Trajectories as CSV: one line a step, every number with all its digits.
//
// Columns: t, the coordinates, their momenta p_NAME, energy, the observables, and the momenta of declared symmetries.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "actio/simulate/run.hpp"

namespace actio {

template <class S>
class csv_writer final : public observer<S> {
 public:
  // Creates the file and writes the line of column names. Throws output-unwritable, at `place`.
  csv_writer(const phase_space<S>& space, const std::string& path, std::size_t every, const source_place& place = {});
  ~csv_writer() override;

  // Writes step 0 and every `every`-th step; keeps the others in mind in case they turn out to be the last.
  void observe(const sample<S>& now) override;

  // Writes the last step that was seen and brings everything to the disk. False when something could not be written.
  bool finish();

  bool failed() const { return !error_.empty(); }
  // What the system says about the failure: "No space left on device".
  const std::string& error() const { return error_; }
  std::size_t rows() const { return rows_; }

 private:
  struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void read_row(const sample<S>& now);
  void write_row();
  void write_out();

  std::unique_ptr<std::FILE, close_file> file_;
  std::size_t every_;
  std::vector<std::size_t> symmetry_momenta_;  // which of the conserved momenta have columns of their own
  std::vector<S> row_;
  bool row_is_pending_ = false;
  std::string buffer_, error_;
  std::size_t rows_ = 0;
};

}  // namespace actio
