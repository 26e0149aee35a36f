// Linear equations whose unknowns determine others one after the other, solved in a time that grows like their number.
//
// Free unknowns q_a stand in groups of s numbers z_a (one a stage), dependent ones x_i in lanes: x_i and its rate x_i'
// at W nodes, or the rate alone. At node l
//   δq = Σ_k φ_k(l) z_k,   δv = Σ_k ψ_k(l) z_k,   δx_i = Σ_c A_ic δ(q, x)_c,   δx_i' = Σ_c A_ic δ(v, x')_c + A'_ic δ(q,
//   x)_c,
// with c free or dependent before i. A form H over all of them, node by node,
//   Σ_l b_l (δ_q, δ_v)(u)ᵀ [H_qq H_qv; H_vq H_vv](u, w) (δ_q, δ_v)(w),
// is a matrix for z alone, in which everything depends on everything. It is never made: dependent unknowns are
// substituted in H, those at the ends of chains and trees first, and free ones are eliminated as soon as no dependent
// one contains them. What is joined on the way is known beforehand (recursion_layout).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "actio/base/aligned.hpp"
#include "actio/base/dense.hpp"
#include "actio/base/recursion_layout.hpp"

namespace actio {

template <class S>
class recursive_equations {
 public:
  // φ and ψ at the nodes, W × s each: those of the unknowns, and those of the equations, which may be others.
  struct basis {
    actio::matrix<S> value, slope, test_value, test_slope;
    std::size_t lanes() const { return slope.rows(); }
    std::size_t stages() const { return slope.columns(); }
  };
  // `with_positions`: dependent unknowns are x and x'; otherwise x' alone.
  recursive_equations(std::shared_ptr<const recursion_layout> layout, basis tables, bool with_positions);

  void set_basis(basis tables) { basis_ = std::move(tables); }
  // Rows of W numbers: values of the form, to be multiplied by the weights of the nodes, and of each entry of A this
  // and its rate (nullptr without positions). They are read by factorise().
  void set(const S* form, std::span<const S> weights, const S* slopes, const S* rates);

  bool factorise();
  bool is_finite() const { return finite_; }
  // Unknowns by stages: z_k of all, then z_(k+1).
  void solve_in_place(std::span<S> x) const;
  // Smallest over largest pivot.
  S pivot_ratio() const;

  // newton_solver asks a problem to fill this.
  recursive_equations& matrix() { return *this; }

 private:
  friend struct recursive_kernels;
  template <std::size_t W, std::size_t s, bool positions>
  struct sizes;
  template <class Use>
  decltype(auto) with_sizes(Use&& use) const;
  void place_blocks();
  void tabulate();
  template <class Sizes>
  bool factorise_as(Sizes size);
  template <class Sizes>
  void begin(Sizes size, std::uint32_t block);
  template <class Sizes>
  void substitute(Sizes size, const recursion_layout::step& step);
  template <class Sizes>
  bool eliminate(Sizes size, const recursion_layout::step& step);
  template <class Sizes>
  void add_to_earlier(Sizes size, std::size_t entry, const S* R, S* T, std::size_t columns) const;
  template <class Sizes>
  void solve_as(Sizes size, std::span<S> x) const;
  template <class Sizes>
  void take_out_free(Sizes size, const recursion_layout::step& step) const;
  template <class Sizes>
  void take_out_dependent(Sizes size, const recursion_layout::step& step) const;
  template <class Sizes>
  void find_free(Sizes size, const recursion_layout::step& step) const;
  template <class Sizes>
  void find_dependent(Sizes size, const recursion_layout::step& step) const;
  S* numbers_of(std::uint32_t place) const { return &right_[places_[place]]; }  // while equations are solved

  bool is_free(std::uint32_t place) const { return place < layout_->pattern.free; }
  std::size_t extent(std::uint32_t place) const { return is_free(place) ? stages_ : width_; }

  std::shared_ptr<const recursion_layout> layout_;
  basis basis_;
  std::size_t lanes_, stages_, width_;  // W, s, numbers of a dependent unknown
  bool positions_;
  const S* form_ = nullptr;
  std::span<const S> weights_;
  std::vector<std::size_t> offset_;  // of each block among the values; blocks that are done with leave room to others
  aligned_vector<S> values_, slopes_, rates_;
  std::vector<std::size_t> of_free_;  // of each entry of A with a free column: where its tables begin
  aligned_vector<S> columns_, rows_;  // these tables: width × stages, of unknowns and of equations
  aligned_vector<S> pivots_;          // P⁻¹ of each free unknown, by steps
  std::vector<std::size_t> places_;   // where the numbers of a place begin while equations are solved
  mutable aligned_vector<S> right_, part_;
  bool finite_ = true;
  S smallest_{0}, largest_{0};
};

}  // namespace actio
