// Writes the values of a dataflow as LLVM instructions, at the place of a builder: what a program computes, inside
// whatever function needs it.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <span>
#include <vector>

#include "actio/backend/llvm/dataflow.hpp"
#include "actio/backend/llvm/sine_emitter.hpp"

namespace actio::machine_code {

// The larger one, in one instruction; NaN may be lost.
llvm::Value* larger_number(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b);

class flow_emitter {
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
  std::vector<llvm::Value*> emit(std::span<llvm::Value* const> variables);
  // The same with sines and cosines to nine digits.
  std::vector<llvm::Value*> emit_rough(std::span<llvm::Value* const> variables);
  bool has_sines() const;
  // The same with sines and cosines by the Taylor series at those of an earlier emission, given how far each variable
  // has moved since then; is_near() says whether that was right. Series are made once, where the builder stands; those
  // with 5 terms reach to moves of 2⁻¹⁰, those with 6 to 2⁻⁸.
  struct sine_series;
  std::vector<sine_series> series_of(std::span<const known_sines> sines, std::size_t terms = 5);
  std::vector<llvm::Value*> emit_near(std::span<llvm::Value* const> variables, std::span<llvm::Value* const> moves,
                                      std::span<const sine_series> from);

  // The same where every lane by itself takes exact ones if it has moved too far for the series.
  std::vector<llvm::Value*> emit_mixed(std::span<llvm::Value* const> variables, std::span<llvm::Value* const> moves,
                                       std::span<const sine_series> from);

  // The same with sines and cosines kept in memory at `cache`: a lane whose argument is near the one kept for it turns
  // what is kept, another one computes and keeps. A lane looks at nothing but itself.
  std::vector<llvm::Value*> emit_cached(std::span<llvm::Value* const> variables, llvm::Value* cache);
  // How many numbers that takes; kept_nothing in all of them means that nothing is known.
  static std::size_t cached_numbers(const dataflow& flow, std::size_t lanes);
  static constexpr double kept_nothing = 1e300;
  // The same where all arguments are near those kept; is_near() says whether that was right.
  std::vector<llvm::Value*> emit_turned(std::span<llvm::Value* const> variables, llvm::Value* cache);

  // Of the last emission: whether an argument was too large for its sine (an i1; only without any_argument); its
  // sines. Of all emissions since that was last asked: whether all arguments were near the known ones (written here).
  llvm::Value* too_large() const { return too_large_; }
  const std::vector<known_sines>& sines() const { return sines_; }
  llvm::Value* is_near();

  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c);

 private:
  std::vector<llvm::Value*> write(std::span<llvm::Value* const> variables);
  std::size_t vectors_of_sines() const;
  llvm::Type* vector_of(std::size_t lanes) const;
  llvm::Value* compute(const value& v, std::span<llvm::Value* const> variables);
  llvm::Value* read_fixed(std::size_t r);
  llvm::Value* apply(operation op, llvm::Value* left, llvm::Value* right);
  llvm::Value* sign_of(llvm::Value* x);
  void emit_group(const call_group& group);
  void emit_sines(std::span<const call_group::member> members, llvm::Value* x);
  void note_far(llvm::Value* lanes);
  llvm::Value* any(llvm::Value* truths);
  // How far the arguments x are from those of `from`: what a variable was moved by, else the difference.
  llvm::Value* moved(const sine_series& from, std::span<const call_group::member> members, llvm::Value* x);
  sine_and_cosine near(const sine_series& from, std::span<const call_group::member> members, llvm::Value* x);
  llvm::Value* taylor_sum(std::span<llvm::Value* const> coefficients, llvm::Value* d, llvm::Value* dd);
  sine_and_cosine turned(const known_sines& from, llvm::Value* x);
  sine_and_cosine kept(llvm::Value* x);
  sine_and_cosine call_sine_and_cosine(llvm::Value* x);
  sine_and_cosine of_any_size(const sine_and_cosine& usual, llvm::Value* x);
  llvm::Value* joined(const std::vector<llvm::Value*>& rows);
  void distribute(llvm::Value* all, std::span<const call_group::member> members, value_id call_group::member::* which);
  llvm::Value* call(operation op, std::vector<llvm::Value*> arguments);

  llvm::IRBuilder<>& b_;
  const dataflow& flow_;
  surroundings around_;
  llvm::Type* real_;
  llvm::Type* row_;
  bool inlines_sines_, is_rough_ = false;
  std::map<llvm::Type*, llvm::Function*> sine_functions_;
  std::vector<llvm::Value*> values_;
  llvm::Value* too_large_ = nullptr;
  std::map<llvm::Type*, llvm::Value*> far_;  // lanes that were not near, by the type of their sines
  std::vector<known_sines> sines_;
  std::span<const sine_series> from_;
  std::span<llvm::Value* const> moves_;
  llvm::Value* cache_ = nullptr;
  std::size_t cached_ = 0;
  bool only_turns_ = false, mixes_ = false;
};

// Coefficients of (x − argument)^k.
struct flow_emitter::sine_series {
  llvm::Value* argument;
  std::vector<llvm::Value*> sine, cosine;
};

}  // namespace actio::machine_code
