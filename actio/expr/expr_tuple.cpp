#include "actio/expr/expr_tuple.hpp"

#include <utility>

namespace actio {

namespace {

expr half_over_norm(const expr_tuple& q) { return expr(rational(1, 2)) / sqrt(dot(q, q)); }

template <class Operation>
expr_tuple by_parts(const expr_tuple& a, const expr_tuple& b, Operation&& operation) {
  std::size_t k = 0;
  return a.mapped([&](const expr& part) { return operation(part, b[k++]); });
}

}  // namespace

expr dot(const expr_tuple& a, const expr_tuple& b) {
  expr result = a[0] * b[0];
  for (std::size_t k = 1; k < a.size(); ++k) result += a[k] * b[k];
  return result;
}

expr_tuple cross(const expr_tuple& a, const expr_tuple& b) {
  return expr_tuple::vector(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

expr_tuple vector_part(const expr_tuple& q) { return expr_tuple::vector(q[1], q[2], q[3]); }

expr_tuple scaled(const expr& factor, const expr_tuple& a) {
  return a.mapped([&](const expr& part) { return factor * part; });
}

expr_tuple rotation(const expr_tuple& axis, const expr& angle) {
  const expr half = angle / 2, factor = sin(half) / sqrt(dot(axis, axis));
  return expr_tuple::quaternion(cos(half), factor * axis[0], factor * axis[1], factor * axis[2]);
}

std::string_view name_of(tuple_shape shape) {
  switch (shape) {
    case tuple_shape::scalar: return "a scalar";
    case tuple_shape::vector: return "a vector";
    case tuple_shape::quaternion: return "a quaternion";
    case tuple_shape::condition: return "a condition";
  }
  return "";
}

std::string_view components_of(tuple_shape shape) {
  switch (shape) {
    case tuple_shape::scalar: return "";
    case tuple_shape::vector: return "xyz";
    case tuple_shape::quaternion: return "wxyz";
    case tuple_shape::condition: return "";
  }
  return "";
}

expr_tuple expr_tuple::vector(expr x, expr y, expr z) {
  expr_tuple result;
  result.shape_ = tuple_shape::vector;
  result.parts_ = {std::move(x), std::move(y), std::move(z), expr()};
  return result;
}

expr_tuple expr_tuple::quaternion(expr w, expr x, expr y, expr z) {
  expr_tuple result;
  result.shape_ = tuple_shape::quaternion;
  result.parts_ = {std::move(w), std::move(x), std::move(y), std::move(z)};
  return result;
}

expr_tuple expr_tuple::condition(expr truth) {
  expr_tuple result(std::move(truth));
  result.shape_ = tuple_shape::condition;
  return result;
}

expr_tuple expr_tuple::mapped(const std::function<expr(const expr&)>& function) const {
  expr_tuple result = *this;
  for (std::size_t k = 0; k < size(); ++k) result.parts_[k] = function(parts_[k]);
  return result;
}

std::string expr_tuple::part_name(const std::string& name, std::size_t k) const {
  return size() == 1 ? name : name + "." + components_of(shape_)[k];
}

std::optional<expr_tuple> sum(const expr_tuple& a, const expr_tuple& b) {
  if (a.shape() != b.shape() || a.is_condition()) return std::nullopt;
  return by_parts(a, b, [](const expr& x, const expr& y) { return x + y; });
}

std::optional<expr_tuple> difference(const expr_tuple& a, const expr_tuple& b) {
  if (a.shape() != b.shape() || a.is_condition()) return std::nullopt;
  return by_parts(a, b, [](const expr& x, const expr& y) { return x - y; });
}

std::optional<expr_tuple> product(const expr_tuple& a, const expr_tuple& b) {
  if (a.is_scalar() && b.is_scalar()) return expr_tuple(a.scalar() * b.scalar());
  if (a.is_condition() || b.is_condition()) return std::nullopt;
  if (a.is_scalar()) return scaled(a.scalar(), b);
  if (b.is_scalar()) return scaled(b.scalar(), a);
  if (a.shape() != tuple_shape::quaternion || b.shape() != tuple_shape::quaternion) return std::nullopt;
  return hamilton_product(a, b);
}

std::optional<expr_tuple> quotient(const expr_tuple& a, const expr_tuple& b) {
  if (!b.is_scalar() || a.is_condition()) return std::nullopt;
  return a.mapped([&](const expr& part) { return part / b.scalar(); });
}

expr_tuple hamilton_product(const expr_tuple& a, const expr_tuple& b) {
  return expr_tuple::quaternion(
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]);
}

expr_tuple conjugate(const expr_tuple& q) { return expr_tuple::quaternion(q[0], -q[1], -q[2], -q[3]); }

expr_tuple pure_quaternion(const expr_tuple& v) { return expr_tuple::quaternion(0, v[0], v[1], v[2]); }

expr_tuple rotated(const expr_tuple& q, const expr_tuple& v) {
  return vector_part(hamilton_product(hamilton_product(q, pure_quaternion(v)), conjugate(q)));
}

expr_tuple velocity_of_body_rate(const expr_tuple& q, const expr_tuple& rate) {
  return scaled(half_over_norm(q), hamilton_product(q, pure_quaternion(rate)));
}

expr_tuple velocity_of_space_rate(const expr_tuple& q, const expr_tuple& rate) {
  return scaled(half_over_norm(q), hamilton_product(pure_quaternion(rate), q));
}

}  // namespace actio
