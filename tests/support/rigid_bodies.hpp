// Rigid bodies in quaternions that several tests use.
#pragma once

#include <string>

namespace actio::testing {

// A body that also moves, with lines added to its tables.
struct moving_body {
  std::string definitions = {}, tables = {}, position = {}, rates = {};

  std::string text() const {
    return "coordinates = [\"x\", \"y\", \"z\", \"a\", \"b\", \"c\", \"d\"]\n"
           "lagrangian = \"dot(r', r')/2 + (w.x^2 + 2*w.y^2 + 3*w.z^2)/2 - r.z\"\n"
           "[definitions]\nr = \"vector(x, y, z)\"\nQ = \"quaternion(a, b, c, d)\"\nw = \"body_rate(Q)\"\n" +
           definitions + "[constraints]\nunit = \"dot(Q, Q) - 1\"\n" + tables + "[initial.position]\n" +
           (position.empty() ? "r = \"vector(1, 2, 3)\"\nQ = \"quaternion(1, 0, 0, 0)\"\n" : position) +
           (rates.empty()
                ? "[initial.velocity]\nr = \"vector(4, 5, 6)\"\n[initial.body_rate]\nQ = \"vector(2, 4, 6)\"\n"
                : rates);
  }
};

}  // namespace actio::testing
