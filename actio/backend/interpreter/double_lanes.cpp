#include "actio/backend/interpreter/double_lanes.hpp"

#include "actio/backend/interpreter/execute.hpp"

namespace actio::interpreter {

namespace {

// One register of Lanes doubles. Arithmetic runs in GCC's vector types; functions go lane by lane through the C
// library, whose vector functions round differently.
template <std::size_t Lanes>
class row {
 public:
  explicit row(double* first) : first_(first) {}

  ACTIO_ALWAYS_INLINE void negate(row a) { all() = -a.all(); }
  ACTIO_ALWAYS_INLINE void add(row a, row b) { all() = a.all() + b.all(); }
  ACTIO_ALWAYS_INLINE void subtract(row a, row b) { all() = a.all() - b.all(); }
  ACTIO_ALWAYS_INLINE void multiply(row a, row b) { all() = a.all() * b.all(); }
  ACTIO_ALWAYS_INLINE void divide(row a, row b) { all() = a.all() / b.all(); }
  template <auto, class Function, class... Rows>
  ACTIO_ALWAYS_INLINE void map(Function f, Rows... operands) {
    double results[Lanes];  // apart from the operands, so that a square root of all lanes is one instruction
    for (std::size_t i = 0; i < Lanes; ++i) results[i] = f(operands.first_[i]...);
    for (std::size_t i = 0; i < Lanes; ++i) first_[i] = results[i];
  }

 private:
  typedef double vector __attribute__((vector_size(sizeof(double) * Lanes), may_alias, aligned(sizeof(double))));
  ACTIO_ALWAYS_INLINE vector& all() const { return *reinterpret_cast<vector*>(first_); }

  double* first_;
};

template <std::size_t Lanes>
ACTIO_ALWAYS_INLINE void run(std::span<const instruction> code, double* rows) {
  for (const instruction& i : code) {
    execute(i.op, row<Lanes>(rows + i.target), row<Lanes>(rows + i.left), row<Lanes>(rows + i.right));
  }
}

using code_span = std::span<const instruction>;
void run_1(code_span code, double* rows) { run<1>(code, rows); }
ACTIO_CPU_CLONES void run_2(code_span code, double* rows) { run<2>(code, rows); }
ACTIO_CPU_CLONES void run_4(code_span code, double* rows) { run<4>(code, rows); }
ACTIO_CPU_CLONES void run_8(code_span code, double* rows) { run<8>(code, rows); }

}  // namespace

void run_lanes(std::size_t lanes, std::span<const instruction> code, double* rows) {
  switch (lanes) {
    case 1: return run_1(code, rows);
    case 2: return run_2(code, rows);
    case 4: return run_4(code, rows);
    default: return run_8(code, rows);
  }
}

}  // namespace actio::interpreter
