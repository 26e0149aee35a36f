#include "actio/backend/llvm/sine_emitter.hpp"

#include <span>
#include <vector>

#include "actio/backend/llvm/ir_writer.hpp"
#include "actio/backend/llvm/sine_constants.hpp"

namespace actio::machine_code {

namespace {

class emitter : ir_writer {
 public:
  emitter(llvm::IRBuilder<>& builder, llvm::Value* x) : ir_writer(builder), x_(x), reals_(x->getType()) {
    integers_ = reals_->getWithNewType(b_.getInt64Ty());
  }

  // Notation: r + r_low the reduced argument, n the quadrant, z = r².
  sine_and_cosine result() {
    const sine_constants& k = constants_of_sine();
    const auto [size, shifted, n] = quadrant();
    llvm::Value* const first = fma(n, number(-k.half_pi[0]), size);
    llvm::Value* const part = b_.CreateFMul(n, number(k.half_pi[1]));
    llvm::Value* const r = b_.CreateFSub(first, part);
    llvm::Value* r_low = b_.CreateFSub(b_.CreateFSub(first, r), part);
    r_low = fma(n, number(-k.half_pi[2]), r_low);

    llvm::Value* const z = b_.CreateFMul(r, r);
    llvm::Value* const half_z = b_.CreateFMul(z, number(0.5));
    llvm::Value* const w = b_.CreateFSub(number(1), half_z);
    llvm::Value* const lost = b_.CreateFSub(b_.CreateFSub(number(1), w), half_z);  // 1 - z/2 - w
    llvm::Value* const S = b_.CreateFAdd(r, fma(b_.CreateFMul(r, z), polynomial(k.sine, z), b_.CreateFMul(r_low, w)));
    llvm::Value* const z_low = fma(r, r, b_.CreateFNeg(z));  // of r² = z + z_low
    llvm::Value* const C_tail = fma(b_.CreateFMul(z, z), polynomial(k.cosine, z), fma(z_low, number(-0.5), lost));
    llvm::Value* const C = b_.CreateFAdd(w, fma(b_.CreateFNeg(r), r_low, C_tail));
    return turned_back(S, C, size, shifted);
  }

  // Both series end where the next term is below 2e-9 for |r| up to π/4.
  sine_and_cosine rough_result() {
    constexpr double sine[] = {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880};
    constexpr double cosine[] = {-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800};
    const auto [size, shifted, n] = quadrant();
    llvm::Value* const r = fma(n, number(-constants_of_sine().half_pi[0]), size);
    llvm::Value* const z = b_.CreateFMul(r, r);
    llvm::Value* const S = fma(b_.CreateFMul(r, z), polynomial(sine, z), r);
    llvm::Value* const C = fma(z, polynomial(cosine, z), number(1));
    return turned_back(S, C, size, shifted);
  }

 private:
  struct place {
    llvm::Value *size, *shifted, *n;  // |x|; n = |x| 2/π rounded, and that with n in its low bits
  };

  // Adding 3·2⁵¹ rounds to an integer, which then stands in the low bits.
  place quadrant() {
    llvm::Value* const shift = number(0x1.8p52);
    llvm::Value* const size = absolute(x_);
    llvm::Value* const shifted = fma(size, number(constants_of_sine().two_over_pi), shift);
    return {size, shifted, b_.CreateFSub(shifted, shift)};
  }

  // From the sine and cosine of the reduced argument to those of x.
  sine_and_cosine turned_back(llvm::Value* S, llvm::Value* C, llvm::Value* size, llvm::Value* shifted) {
    llvm::Value* const quadrant = as_bits(shifted);
    llvm::Value* const odd = b_.CreateTrunc(quadrant, integers_->getWithNewType(b_.getInt1Ty()));
    llvm::Value* const next = b_.CreateAdd(quadrant, llvm::ConstantInt::get(integers_, 1));
    // The second bit of the quadrant is the sign of the sine, that of the next one the sign of the cosine.
    llvm::Value* const sign = b_.CreateXor(sign_bit(quadrant), as_bits(x_));
    return {with_sign(b_.CreateSelect(odd, C, S), sign), with_sign(b_.CreateSelect(odd, S, C), sign_bit(next)),
            b_.CreateFCmpOGT(size, number(constants_of_sine().largest_argument))};
  }

  llvm::Value* number(double value) const { return llvm::ConstantFP::get(reals_, value); }

  // By halves, so that independent products overlap.
  llvm::Value* polynomial(std::span<const double> coefficients, llvm::Value* z) {
    std::vector<llvm::Value*> terms;
    for (const double c : coefficients) terms.push_back(number(c));
    for (llvm::Value* power = z; terms.size() > 1; power = b_.CreateFMul(power, power)) {
      std::vector<llvm::Value*> pairs;
      for (std::size_t i = 0; i + 1 < terms.size(); i += 2) pairs.push_back(fma(terms[i + 1], power, terms[i]));
      if (terms.size() % 2 == 1) pairs.push_back(terms.back());
      terms = std::move(pairs);
    }
    return terms.front();
  }

  llvm::Value* sign_bit(llvm::Value* quadrant) { return b_.CreateShl(quadrant, llvm::ConstantInt::get(integers_, 62)); }

  // `value` with its sign changed where the top bit of `sign` is set.
  llvm::Value* with_sign(llvm::Value* value, llvm::Value* sign) {
    llvm::Value* const top = b_.CreateAnd(sign, llvm::ConstantInt::get(integers_, std::uint64_t{1} << 63));
    return as_real(b_.CreateXor(as_bits(value), top));
  }

  llvm::Value* x_;
  llvm::Type* reals_;
  llvm::Type* integers_;
};

}  // namespace

sine_and_cosine emit_sine_and_cosine(llvm::IRBuilder<>& builder, llvm::Value* x) {
  return emitter(builder, x).result();
}

sine_and_cosine emit_rough_sine_and_cosine(llvm::IRBuilder<>& builder, llvm::Value* x) {
  return emitter(builder, x).rough_result();
}

}  // namespace actio::machine_code
