// Simpson's variational integrator written by hand for this pendulum: the floor for a fourth-order variational step.
//
// Unknowns are the increments a = qm − q0 and b = q1 − q0. The predictor extrapolates those of the last seven steps;
// Newton's method starts there and usually ends after one update, whose effect on gradients, sines and cosines is then
// taken from their derivatives. State updates are compensated sums.
#include <algorithm>
#include <cstring>

#include "double_pendulum/equations.hpp"

namespace actio::bench::double_pendulum {

namespace {

using lanes = double __attribute__((vector_size(32)));  // a1, a2, b1, b2

struct pair {
  double x, y;
};
struct block {  // 2 × 2
  double xx, xy, yx, yy;
};
pair operator*(const block& m, pair v) { return {m.xx * v.x + m.xy * v.y, m.yx * v.x + m.yy * v.y}; }
block operator*(const block& m, const block& n) {
  return {m.xx * n.xx + m.xy * n.yx, m.xx * n.xy + m.xy * n.yy, m.yx * n.xx + m.yy * n.yx, m.yx * n.xy + m.yy * n.yy};
}
block operator-(const block& m, const block& n) { return {m.xx - n.xx, m.xy - n.xy, m.yx - n.yx, m.yy - n.yy}; }
block inverse(const block& m) {
  const double d = 1 / (m.xx * m.yy - m.xy * m.yx);
  return {m.yy * d, -m.xy * d, -m.yx * d, m.xx * d};
}

struct angles {
  double s1, c1, s2, c2;

  static angles of(double q1, double q2) { return {std::sin(q1), std::cos(q1), std::sin(q2), std::cos(q2)}; }
  // After a change of the angles so small that its square does not count.
  angles turned(pair by) const { return {s1 + c1 * by.x, c1 - s1 * by.x, s2 + c2 * by.y, c2 - s2 * by.y}; }
};

// Gradient and Hessian of L at a node.
struct node {
  pair Lq, Lv;
  double c, sv1, sv2;  // L_vv = (2 c; c 1), L_vq = (−sv2 sv2; −sv1 sv1)
  double qq11, qq12, qq22;

  node(const angles& q, pair v) {
    const double s = q.s1 * q.c2 - q.c1 * q.s2, vv = v.x * v.y, g1 = 2 * gravity, g2 = gravity;
    c = q.c1 * q.c2 + q.s1 * q.s2;
    Lv = {2 * v.x + c * v.y, v.y + c * v.x};
    Lq = {-vv * s - g1 * q.s1, vv * s - g2 * q.s2};
    sv1 = s * v.x;
    sv2 = s * v.y;
    qq12 = vv * c;
    qq11 = -qq12 - g1 * q.c1;
    qq22 = -qq12 - g2 * q.c2;
  }
  // How L_q changes with the angles and the velocities.
  pair Lq_change(pair dq, pair dv) const {
    const double across = sv2 * dv.x + sv1 * dv.y;
    return {qq11 * dq.x + qq12 * dq.y - across, qq12 * dq.x + qq22 * dq.y + across};
  }
};

class simpson {
 public:
  explicit simpson(std::size_t steps) : steps_(steps), h_(until / static_cast<double>(steps)) {}

  attempt run() {
    std::memset(history_, 0, sizeof history_);
    for (int i = 0; i < 4; ++i) value_[i] = start[i], rest_[i] = 0;
    at_left_ = angles::of(value_[0], value_[1]);
    // Without a past, the first guess is rest: Newton's method takes a few iterations more.
    for (std::size_t i = 0; i < steps_; ++i) {
      if (!advance(std::min<std::size_t>(i, depth))) return {};
    }
    return {{value_[0], value_[1], value_[2], value_[3]}, steps_};
  }

 private:
  static constexpr std::size_t depth = 7;

  lanes predicted(std::size_t known) const {
    const auto past = [&](std::size_t back) { return history_[(next_ + depth - back) % depth]; };
    if (known == depth) {
      return 7.0 * (past(1) - past(6)) + 21.0 * (past(5) - past(2)) + 35.0 * (past(3) - past(4)) + past(7);
    }
    lanes z{};
    double weight = 1;
    for (std::size_t i = 1; i <= known; ++i) {
      weight *= -static_cast<double>(known - i + 1) / static_cast<double>(i);
      z -= weight * past(i);
    }
    return z;
  }

  bool advance(std::size_t known) {
    const double h = h_, per_h = 1 / h;
    lanes z = predicted(known);
    for (int iteration = 0; iteration < 30; ++iteration) {
      const pair a{z[0], z[1]}, b{z[2], z[3]};
      const pair v0{(4 * a.x - b.x) * per_h, (4 * a.y - b.y) * per_h}, vm{b.x * per_h, b.y * per_h},
          v1{(3 * b.x - 4 * a.x) * per_h, (3 * b.y - 4 * a.y) * per_h};
      const angles at_middle = angles::of(value_[0] + (a.x + rest_[0]), value_[1] + (a.y + rest_[1]));
      const angles at_right = angles::of(value_[0] + (b.x + rest_[0]), value_[1] + (b.y + rest_[1]));
      const node left(at_left_, v0), middle(at_middle, vm), right(at_right, v1);

      // F = 3 L_v0 + 4 L_vm − L_v1 − h L_q0 − 6 p0 and G = L_v0 − L_v1 + h L_qm vanish at the solution.
      const pair F{3 * left.Lv.x + 4 * middle.Lv.x - right.Lv.x - h * left.Lq.x - 6 * (value_[2] + rest_[2]),
                   3 * left.Lv.y + 4 * middle.Lv.y - right.Lv.y - h * left.Lq.y - 6 * (value_[3] + rest_[3])};
      const pair G{left.Lv.x - right.Lv.x + h * middle.Lq.x, left.Lv.y - right.Lv.y + h * middle.Lq.y};
      const auto [da, db] = newton_update(left, middle, right, F, G);
      z += lanes{da.x, da.y, db.x, db.y};
      const double update = std::max({std::abs(da.x), std::abs(da.y), std::abs(db.x), std::abs(db.y)});
      if (!(update < 1e3)) return false;
      if (update > 1e-9) continue;
      const pair dvm{db.x * per_h, db.y * per_h}, dv0{(4 * da.x - db.x) * per_h, (4 * da.y - db.y) * per_h},
          dv1{(3 * db.x - 4 * da.x) * per_h, (3 * db.y - 4 * da.y) * per_h};
      const pair f0 = left.Lq_change({0, 0}, dv0), fm = middle.Lq_change(da, dvm), f1 = right.Lq_change(db, dv1);
      const double sixth = h / 6;
      add(0, z[2]);
      add(1, z[3]);
      add(2, sixth * ((left.Lq.x + f0.x) + 4 * (middle.Lq.x + fm.x) + (right.Lq.x + f1.x)));
      add(3, sixth * ((left.Lq.y + f0.y) + 4 * (middle.Lq.y + fm.y) + (right.Lq.y + f1.y)));
      at_left_ = at_right.turned(db);
      history_[next_] = z;
      next_ = (next_ + 1) % depth;
      return true;
    }
    return false;
  }

  // Newton's equations, F_a da + F_b db = −F and G_a da + G_b db = −G, by blocks; both sides times h.
  std::pair<pair, pair> newton_update(const node& left, const node& middle, const node& right, pair F, pair G) const {
    const double h = h_, c = left.c, cm = middle.c, c1 = right.c;
    const double u1 = h * left.sv1, u2 = h * left.sv2, m1 = h * middle.sv1, m2 = h * middle.sv2, r1 = h * right.sv1,
                 r2 = h * right.sv2;
    // L_vv = (2 c; c 1), L_vq = (−sv2 sv2; −sv1 sv1), L_qv its transpose.
    const block Fa{32 - 4 * m2 + 4 * u2, 12 * c + 4 * m2 + 4 * c1 + 4 * u1, 12 * c - 4 * m1 + 4 * c1 - 4 * u2,
                   16 + 4 * m1 - 4 * u1};
    const block Fb{-6 + 8 - 6 + r2 - u2, -3 * c + 4 * cm - 3 * c1 - r2 - u1, -3 * c + 4 * cm - 3 * c1 + r1 + u2,
                   -3 + 4 - 3 - r1 + u1};
    const double hh = h * h;
    const block Ga{16 + hh * middle.qq11, 4 * (c + c1) + hh * middle.qq12, 4 * (c + c1) + hh * middle.qq12,
                   8 + hh * middle.qq22};
    const block Gb{-8 + r2 - m2, -c - 3 * c1 - r2 - m1, -c - 3 * c1 + r1 + m2, -4 - r1 + m1};
    const block per_Ga = inverse(Ga), factor = Fa * per_Ga;
    const pair known = factor * G;
    const pair db = inverse(Fb - factor * Gb) * pair{h * (known.x - F.x), h * (known.y - F.y)};
    const pair moved = Gb * db;
    return {per_Ga * pair{-h * G.x - moved.x, -h * G.y - moved.y}, db};
  }

  void add(int i, double increment) {
    const double y = increment + rest_[i], sum = value_[i] + y, part = sum - value_[i];
    rest_[i] = (value_[i] - (sum - part)) + (y - part);
    value_[i] = sum;
  }

  std::size_t steps_, next_ = 0;
  double h_;
  double value_[4], rest_[4];
  angles at_left_{};
  lanes history_[depth];
};

}  // namespace

competitor hand_written_simpson() {
  return {"hand-written", "simpson", "steps", step_counts(250, 32000), [](double count) -> prepared_run {
            return [solver = simpson(static_cast<std::size_t>(count))]() mutable { return solver.run(); };
          }};
}

}  // namespace actio::bench::double_pendulum
