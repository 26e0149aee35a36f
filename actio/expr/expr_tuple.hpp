// Scalars, vectors and quaternions of expressions: what a formula of rigid bodies is made of; and conditions, which are
// no numbers: they choose values, and nothing adds or multiplies them.
//
// A tuple is its components; every operation on tuples gives the scalar expressions that it stands for, so that nothing
// behind the parser knows of them.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "actio/expr/expr.hpp"

namespace actio {

enum class tuple_shape { scalar, vector, quaternion, condition };

std::string_view name_of(tuple_shape shape);        // "a scalar", "a vector", ...
std::string_view components_of(tuple_shape shape);  // "", "xyz", "wxyz", ""

class expr_tuple {
 public:
  expr_tuple() = default;  // the scalar 0
  expr_tuple(expr scalar)
      : parts_{std::move(scalar)} {}  // NOLINT(google-explicit-constructor): most values are scalars
  static expr_tuple vector(expr x, expr y, expr z);
  static expr_tuple quaternion(expr w, expr x, expr y, expr z);
  static expr_tuple condition(expr truth);  // 0 or 1
  // The same shape, with other components: function(component) of each.
  expr_tuple mapped(const std::function<expr(const expr&)>& function) const;

  tuple_shape shape() const { return shape_; }
  bool is_scalar() const { return shape_ == tuple_shape::scalar; }
  bool is_condition() const { return shape_ == tuple_shape::condition; }
  std::size_t size() const { return is_scalar() || is_condition() ? 1 : components_of(shape_).size(); }
  const expr& operator[](std::size_t k) const { return parts_[k]; }
  std::span<const expr> parts() const { return std::span(parts_).first(size()); }
  const expr& scalar() const { return parts_[0]; }

  // The name of a component of what is called `name`: name itself for a scalar, "Q.w" and so on otherwise.
  std::string part_name(const std::string& name, std::size_t k) const;

  friend bool operator==(const expr_tuple&, const expr_tuple&) = default;

 private:
  tuple_shape shape_ = tuple_shape::scalar;
  std::array<expr, 4> parts_;  // those beyond size() are 0
};

expr dot(const expr_tuple& a, const expr_tuple& b);          // of equal shapes
expr_tuple cross(const expr_tuple& a, const expr_tuple& b);  // of vectors
expr_tuple vector_part(const expr_tuple& q);
expr_tuple scaled(const expr& factor, const expr_tuple& a);
// The unit quaternion of a turn about an axis of any length.
expr_tuple rotation(const expr_tuple& axis, const expr& angle);

// Nothing where the shapes do not fit. Scalars multiply everything, quaternions one another (Hamilton's product).
std::optional<expr_tuple> sum(const expr_tuple& a, const expr_tuple& b);
std::optional<expr_tuple> difference(const expr_tuple& a, const expr_tuple& b);
std::optional<expr_tuple> product(const expr_tuple& a, const expr_tuple& b);
std::optional<expr_tuple> quotient(const expr_tuple& a, const expr_tuple& b);

// The unit quaternion Q turns body axes into space axes: v in space is rotate(Q, v in the body). Its rates are the
// vector parts of 2 conj(Q) Q' (in body axes) and 2 Q' conj(Q) (in space axes).
expr_tuple hamilton_product(const expr_tuple& a, const expr_tuple& b);
expr_tuple conjugate(const expr_tuple& q);
expr_tuple rotated(const expr_tuple& q, const expr_tuple& v);
expr_tuple pure_quaternion(const expr_tuple& v);

// Q' for an angular velocity in body or in space axes, also where Q is not yet of norm one: the velocity belongs to
// Q/|Q| then.
expr_tuple velocity_of_body_rate(const expr_tuple& q, const expr_tuple& rate);
expr_tuple velocity_of_space_rate(const expr_tuple& q, const expr_tuple& rate);

}  // namespace actio
