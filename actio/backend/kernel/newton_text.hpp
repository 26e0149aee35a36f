// One Newton iteration of a Galerkin step, written once for every machine: a template over a builder that has the nodes
// of a step side by side in rows and coordinates or unknowns side by side in vectors, and over the two programs of
// newton_code.
//
// Notation: z = (z_1, …, z_s) the increments of the position at the control points, φ_k their basis. The iteration
// predicts z from those of earlier steps, takes what the Lagrangian says at the nodes, and with the update δ of z the
// state at the right end: q + z_s, p + the increment of the momentum and its change to first order by δ. It is taken
// where δ is small enough.
//
// Beside what every builder has (number_builder.hpp), this one has row and vector, with the operations of numbers, and
// the members used below.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "actio/backend/kernel/sums.hpp"
#include "actio/backend/newton_kernel.hpp"

namespace actio::kernel {

// `nodes.evaluate` gives the outputs of the program at the nodes, `nodes.look_up` computes sines for the next step at a
// place nearby; `update` the outputs of the second program.
template <class B, class Nodes, class Update>
class newton_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;
  using Row = typename B::row;
  using V = typename B::vector;
  using Numbers = typename B::rows;

  struct places {
    Numbers value, remainder;
  };
  // `past` begins with the unknowns of the oldest step that is remembered; behind those of the last one stands the
  // solution.
  struct surroundings {
    Numbers table, numbers, past;
    places position, momentum;
    N time;
  };

  newton_text(B& b, const newton_code& code, const newton_rows& rows, const surroundings& around, Nodes& nodes,
              Update& update)
      : b_(b),
        code_(code),
        rows_(rows),
        n_(code.coordinates),
        s_(code.degree),
        at_(around),
        nodes_(nodes),
        update_(update) {}

  typename B::outcome carry_out(const T& looks_ahead, const T& predicts) {
    const auto unknowns_at = [&](std::size_t place) { return b_.vector_at(at_.numbers, place, rows_.unknowns()); };
    const V z = b_.either(
        predicts, [&] { return predicted(kept(1), unknowns_at(rows_.foreseen())); },
        [&] { return unknowns_at(rows_.unknown()); });
    const sum left = read(at_.position);
    return b_.either(
        looks_ahead,
        [&] {
          look_up(left.value, z, at_.time);
          return b_.of(update_outcome::accepted);
        },
        [&] { return iterate(z, left); });
  }

 private:
  struct sum {
    V value, remainder;
  };

  // z = Σ factor_k z^(k) over the last steps: from the last of them and from what the others contribute.
  V predicted(const V& last, const V& others) { return fma(factor(newton_rows::depth - 1), last, others); }
  // What the steps before this one contribute to the prediction of the next. They are known early, and there are many
  // of them, so that the sum is made of independent parts.
  V foreseen() {
    std::array<V, 4> parts;
    for (std::size_t k = 0; k + 1 < newton_rows::depth; ++k) {
      V& part = parts[k % parts.size()];
      const V past = kept(newton_rows::depth - 1 - k);
      part = k < parts.size() ? factor(k) * past : fma(factor(k), past, part);
    }
    return (parts[0] + parts[1]) + (parts[2] + parts[3]);
  }
  V kept(std::size_t back) {
    return b_.vector_at(at_.past, (newton_rows::depth - back) * rows_.stride(), rows_.unknowns());
  }
  V factor(std::size_t k) { return b_.all_of(at_.numbers[rows_.factor(k)], rows_.unknowns()); }

  Row constant(std::size_t k) { return b_.row_at(at_.table, k); }
  V slot(const V& unknowns, std::size_t k) { return b_.part_of(unknowns, k * n_, n_); }

  // Sines near those of a step; remainders do not matter.
  void look_up(const V& position, const V& z, const N& time) {
    std::vector<Row> variables(code_.node_variables(), b_.row_of(0));
    for (std::size_t a = 0; a < n_; ++a) {
      Row q = b_.spread(position, a), v{};
      for (std::size_t k = 1; k <= s_; ++k) {
        const Row z_k = b_.spread(z, (k - 1) * n_ + a);
        q = fma(constant(rows_.value(k)), z_k, q);
        v = k == 1 ? constant(rows_.slope(k)) * z_k : fma(constant(rows_.slope(k)), z_k, v);
      }
      variables[code_.position(a)] = q;
      variables[code_.velocity(a)] = v;
    }
    variables[code_.time()] = b_.spread(time) + constant(rows_.node());
    nodes_.look_up(variables);
    b_.put_vector(at_.numbers, rows_.place_position(0), position);
    at_.numbers.put(rows_.place_time(), time);
    b_.put_vector(at_.numbers, rows_.place_unknown(0), z);
  }

  std::vector<Row> node_variables(const V& unknowns) {
    std::vector<Row> variables(code_.node_variables());
    for (std::size_t a = 0; a < n_; ++a) {
      Row dq = b_.spread(at_.position.remainder[a]), v{};
      const auto z = [&](std::size_t k) { return b_.spread(unknowns, (k - 1) * n_ + a); };
      for (std::size_t k = 1; k <= s_; ++k) {
        if (!code_.values_are_exact) dq = fma(constant(rows_.value_remainder(k)), z(k), dq);
        const Row column = constant(rows_.slope_remainder(k));
        v = k == 1 ? column * z(k) : fma(column, z(k), v);
      }
      for (std::size_t k = 1; k <= s_; ++k) {
        dq = fma(constant(rows_.value(k)), z(k), dq);
        v = fma(constant(rows_.slope(k)), z(k), v);
      }
      variables[code_.position(a)] = b_.spread(at_.position.value[a]) + dq;
      variables[code_.velocity(a)] = v;
      variables[code_.momentum(a)] = b_.spread(at_.momentum.value[a]);
      variables[code_.momentum_remainder(a)] = b_.spread(at_.momentum.remainder[a]);
    }
    variables[code_.time()] = b_.spread(at_.time) + constant(rows_.node());
    return variables;
  }
  std::vector<N> node_by_node(const std::vector<Row>& rows) {
    std::vector<N> values;
    for (const Row& row : rows) {
      for (std::size_t i = 0; i < code_.points; ++i) values.push_back(b_.node_of(row, i));
    }
    return values;
  }

  // The new unknowns, the size of the update, and the state at the right end.
  typename B::outcome iterate(const V& z0, const sum& left) {
    // Early, where the processor would otherwise wait for what the update needs.
    const V others = foreseen();
    b_.put_vector(at_.numbers, rows_.foreseen(), others);
    look_up(left.value + slot(z0, s_ - 1), predicted(z0, others), at_.time + at_.numbers[rows_.step()]);

    const std::vector<N> outputs = update_(node_by_node(nodes_.evaluate(node_variables(z0))));
    const std::span<const N> all(outputs);
    const V update = b_.vector_of(all.first(s_ * n_)), increment = b_.vector_of(all.subspan(s_ * n_, n_));
    const V expected = increment + b_.vector_of(all.subspan((s_ + 1) * n_, n_)), z = z0 - update;
    const V weight = absolute(left.value) + extent(z0);
    const N size = b_.largest_of(extent(update) / weight);
    const sum right = added(left, slot(z, s_ - 1)), p1 = added(read(at_.momentum), expected);
    const T is_small = size <= at_.numbers[rows_.acceptable()];

    b_.put_vector(at_.past, newton_rows::depth * rows_.stride(), z);
    at_.numbers.put(rows_.size(), size);
    b_.put_vector(at_.numbers, rows_.weight(0), weight);
    b_.put_vector(at_.numbers, rows_.increment(0), increment);
    b_.put_vector(at_.numbers, rows_.expected(0), expected);
    at_.numbers.put(rows_.work(), outputs.back());
    b_.put_vector(at_.numbers, rows_.left(0), left.value);
    const auto found = [&](std::size_t value, std::size_t remainder) {
      return places{at_.numbers.from(value), at_.numbers.from(remainder)};
    };
    return b_.either(
        is_small,
        [&] {
          write(right, at_.position);
          write(p1, at_.momentum);
          return b_.of(update_outcome::accepted);
        },
        [&] {
          write(right, found(rows_.position(0), rows_.position_remainder(0)));
          write(p1, found(rows_.momentum(0), rows_.momentum_remainder(0)));
          return b_.of(update_outcome::unsettled);
        });
  }

  // A compensated sum, as compensated<S>::add.
  sum added(const sum& to, const V& increment) {
    const auto [total, rest] = exact_sum(to.value, increment + to.remainder);
    return {total, rest};
  }
  // max_k |x_ka| for unknowns x.
  V extent(const V& x) {
    const V sizes = absolute(x);
    V top = slot(sizes, 0);
    for (std::size_t k = 1; k < s_; ++k) top = b_.larger_size(top, slot(sizes, k));
    return top;
  }
  sum read(const places& from) { return {b_.vector_at(from.value, 0, n_), b_.vector_at(from.remainder, 0, n_)}; }
  void write(const sum& values, const places& to) {
    b_.put_vector(to.value, 0, values.value);
    b_.put_vector(to.remainder, 0, values.remainder);
  }

  B& b_;
  const newton_code& code_;
  const newton_rows& rows_;
  std::size_t n_, s_;
  surroundings at_;
  Nodes& nodes_;
  Update& update_;
};

}  // namespace actio::kernel
