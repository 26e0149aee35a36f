// Writes the values of a dataflow as LLVM instructions, at the place of a builder: what a program computes, inside
// whatever function needs it.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "actio/backend/llvm/dataflow.hpp"
#include "actio/backend/llvm/ir_writer.hpp"
#include "actio/backend/llvm/sine_emitter.hpp"

namespace actio::machine_code {

// Coefficients of (x − argument)^k.
struct sine_series {
  llvm::Value* argument;
  row_values sine, cosine;
};
// Where sines and cosines come from.
enum class sines_by {
  computing,  // exactly
  rough,      // to nine digits
  // The Taylor series at those of an earlier emission, given how far each variable has moved since then; is_near()
  // says whether that was right. Series with 5 terms reach to moves of 2⁻¹⁰, those with 6 to 2⁻⁸.
  series,
  mixed,  // the same where every lane by itself takes exact ones if it has moved too far
  // Memory: a lane whose argument is near the one kept for it turns what is kept, another one computes and keeps. A
  // lane looks at nothing but itself.
  cache,
  turning,  // the same where all arguments are near those kept; is_near() says whether that was right
};
struct sine_source {
  sines_by how = sines_by::computing;
  std::span<llvm::Value* const> moves = {};
  std::span<const sine_series> from = {};
  llvm::Value* cache = nullptr;
};

class flow_emitter : ir_writer {
 public:
  struct surroundings {
    llvm::Value* fixed;      // pointer to the fixed registers
    llvm::Value* functions;  // pointer to function_table()
    std::size_t lanes;
    bool any_argument;  // sines of arguments of any size, by calls
  };
  // Sines at one place of a flow, kept so that nearby ones can be had by turning them.
  struct known_sines {
    llvm::Value *argument, *sine, *cosine;
  };

  flow_emitter(llvm::IRBuilder<>& builder, const dataflow& flow, const surroundings& around);

  // The outputs for these variables (a double or a vector of `lanes` each).
  row_values emit(std::span<llvm::Value* const> variables, const sine_source& source = {});
  bool has_sines() const { return sine_vectors(flow_, around_.lanes).first > 0; }
  // Made once, where the builder stands.
  std::vector<sine_series> series_of(std::span<const known_sines> sines, std::size_t terms = 5);
  // How many numbers a cache takes; kept_nothing in all of them means that nothing is known.
  static std::size_t cached_numbers(const dataflow& flow, std::size_t lanes) {
    return 3 * sine_vectors(flow, lanes).second;
  }
  static constexpr double kept_nothing = 1e300;

  // Of the last emission: whether an argument was too large for its sine (an i1; only without any_argument); its
  // sines. Of all emissions since that was last asked: whether all arguments were near the known ones (written here).
  llvm::Value* too_large() const { return too_large_; }
  const std::vector<known_sines>& sines() const { return sines_; }
  llvm::Value* is_near();

 private:
  static std::pair<std::size_t, std::size_t> sine_vectors(const dataflow& flow, std::size_t lanes);
  llvm::Value* compute(const value& v, std::span<llvm::Value* const> variables);
  llvm::Value* read_fixed(std::size_t r);
  llvm::Value* apply(operation op, llvm::Value* left, llvm::Value* right);
  llvm::Value* sign_of(llvm::Value* x);
  llvm::Value* step_of(llvm::Value* x);
  llvm::Value* chosen(llvm::Value* condition, llvm::Value* x);
  void emit_group(const call_group& group);
  void emit_sines(std::span<const call_group::member> members, llvm::Value* x);
  void note_far(llvm::Value* lanes);
  // How far the arguments x are from those of `from`: what a variable was moved by, else the difference.
  llvm::Value* moved(const sine_series& from, std::span<const call_group::member> members, llvm::Value* x);
  sine_and_cosine near(const sine_series& from, std::span<const call_group::member> members, llvm::Value* x);
  llvm::Value* taylor_sum(std::span<llvm::Value* const> coefficients, llvm::Value* d, llvm::Value* dd);
  sine_and_cosine turned(const known_sines& from, llvm::Value* x);
  sine_and_cosine kept(llvm::Value* x);
  sine_and_cosine call_sine_and_cosine(llvm::Value* x);
  sine_and_cosine of_any_size(const sine_and_cosine& usual, llvm::Value* x);
  llvm::Value* joined(const row_values& rows);
  void distribute(llvm::Value* all, std::span<const call_group::member> members, value_id call_group::member::* which);
  llvm::Value* call(operation op, row_values arguments);
  llvm::Value* call_own(llvm::Function& f, const row_values& arguments);

  const dataflow& flow_;
  surroundings around_;
  llvm::Type* row_;
  bool inlines_sines_;
  row_values values_;
  llvm::Value* too_large_ = nullptr;
  std::map<llvm::Type*, llvm::Value*> far_;  // lanes that were not near, by the type of their sines
  std::vector<known_sines> sines_;
  sine_source source_;
  std::size_t cached_ = 0;
};

}  // namespace actio::machine_code
