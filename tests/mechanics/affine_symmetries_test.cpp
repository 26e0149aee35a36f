#include "actio/mechanics/affine_symmetries.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "actio/expr/print.hpp"
#include "actio/mechanics/model.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

using list = std::vector<std::string>;

// A model at the origin, at rest; `tables` stand between the Lagrangian and the initial data.
lagrangian_system system_of(const list& coordinates, const std::string& lagrangian, const std::string& tables = "",
                            const list& position = {}) {
  std::string names, start, rest;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    names += (i > 0 ? ", \"" : "\"") + coordinates[i] + "\"";
    start += coordinates[i] + " = " + (position.empty() ? "0" : position[i]) + "\n";
    rest += coordinates[i] + " = 0\n";
  }
  return parse_model("coordinates = [" + names + "]\nlagrangian = \"" + lagrangian + "\"\n" + tables +
                         "\n[initial.position]\n" + start + "[initial.velocity]\n" + rest,
                     "m.toml")
      .system;
}

// "rotation_xy: x = -y, y = x", one a symmetry.
list found_in(const lagrangian_system& system) {
  list texts;
  for (const symmetry& s : affine_symmetries(system).found) {
    std::string text;
    for (std::size_t i = 0; i < system.size(); ++i) {
      if (s.generator[i].is_zero()) continue;
      text += (text.empty() ? ": " : ", ") + system.coordinates[i].name() + " = " + to_text(s.generator[i]);
    }
    texts.push_back(s.name + text);
  }
  return texts;
}

list names_in(const lagrangian_system& system) {
  list names;
  for (const symmetry& s : affine_symmetries(system).found) names.push_back(s.name);
  return names;
}

const std::string kinetic = "1/2*x'^2 + 1/2*y'^2";

// Bodies in space with masses 1, 1.1, 1.2, ... that attract one another.
lagrangian_system bodies(int count) {
  list coordinates;
  std::string L = "0";
  for (int a = 1; a <= count; ++a) {
    const std::string i = std::to_string(a), mass = "(" + std::to_string(9 + a) + "/10)";
    for (const char* axis : {"x", "y", "z"}) coordinates.push_back(axis + i);
    L += " + 1/2*" + mass + "*(x" + i + "'^2 + y" + i + "'^2 + z" + i + "'^2)";
    for (int b = 1; b < a; ++b) {
      const std::string j = std::to_string(b);
      L += " + " + mass + "*" + std::to_string(9 + b) + "/10/sqrt((x" + i + "-x" + j + ")^2 + (y" + i + "-y" + j +
           ")^2 + (z" + i + "-z" + j + ")^2)";
    }
  }
  list position;
  for (int k = 0; k < 3 * count; ++k) position.push_back(std::to_string(k * k % 17));
  return system_of(coordinates, L, "", position);
}

TEST(affine_symmetries, of_five_bodies_are_those_of_space) {
  const lagrangian_system system = bodies(5);
  const list found = found_in(system);
  ASSERT_EQ(found.size(), 6u);
  EXPECT_EQ(found[0], "momentum_x: x1 = 1, x2 = 1, x3 = 1, x4 = 1, x5 = 1");
  EXPECT_EQ(names_in(system),
            (list{"momentum_x", "momentum_y", "momentum_z", "rotation_xy", "rotation_xz", "rotation_yz"}));
  EXPECT_EQ(
      found[3],
      "rotation_xy: x1 = -y1, y1 = x1, x2 = -y2, y2 = x2, x3 = -y3, y3 = x3, x4 = -y4, y4 = x4, x5 = -y5, y5 = x5");
}

TEST(affine_symmetries, of_many_bodies_are_found_by_families) {
  const lagrangian_system system = bodies(30);
  EXPECT_EQ(affine_symmetries(system).extent, search_extent::families);
  EXPECT_EQ(names_in(system).size(), 6u);
}

TEST(affine_symmetries, of_a_body_in_quaternions_act_from_the_left) {
  lagrangian_system system = parse_model(std::string(find_problem("free-rigid-body")->text), "m.toml").system;
  EXPECT_TRUE(found_in(system).empty());  // declared ones are not found again
  system.symmetries.clear();
  EXPECT_EQ(found_in(system),
            (list{"rotation_ab_cd: a = -b, b = a, c = -d, d = c", "rotation_ac_db: a = -c, b = d, c = a, d = -b",
                  "rotation_ad_bc: a = -d, b = -c, c = b, d = a"}));
  system.parameters[1].value = expr(1);  // a symmetric body: also about its axis
  EXPECT_EQ(found_in(system).size(), 4u);
}

TEST(affine_symmetries, are_found_on_constraints) {
  const std::string L = kinetic + " + 1/2*z'^2 - 9.81*z", rod = "[constraints]\nrod = \"x^2 + y^2 + z^2 - 1\"\n";
  EXPECT_EQ(found_in(system_of({"x", "y", "z"}, L, rod, {"1", "0", "0"})), list{"rotation_xy: x = -y, y = x"});
  // The potential is symmetric only where the constraint holds.
  const std::string plane = "[constraints]\nplane = \"z\"\n";
  EXPECT_EQ(found_in(system_of({"x", "y", "z"}, kinetic + " + 1/2*z'^2 - x*z - (x^2 + y^2)^2", plane)),
            list{"rotation_xy: x = -y, y = x"});
  // A tilted rod breaks it.
  EXPECT_TRUE(found_in(system_of({"x", "y"}, kinetic + " - y", "[constraints]\nrod = \"x^2 + y^2 - 1\"\n", {"1", "0"}))
                  .empty());
  // What vanishes on the constraints is no symmetry.
  EXPECT_TRUE(found_in(system_of({"x", "z"}, "1/2*x'^2 - x^4", "[constraints]\nfloor = \"z\"\n")).empty());
}

TEST(affine_symmetries, of_henon_heiles_are_none) {
  EXPECT_TRUE(found_in(system_of({"x", "y"}, kinetic + " - 1/2*(x^2 + y^2) - x^2*y + y^3/3")).empty());
  EXPECT_TRUE(found_in(system_of({"x"}, "1/2*x'^2 - 1/2*x^2")).empty());
}

TEST(affine_symmetries, leave_out_cyclic_coordinates_and_declared_ones) {
  EXPECT_TRUE(found_in(system_of({"x"}, "1/2*x'^2")).empty());
  const std::string turn = "[symmetries.turn]\nx = \"-2*y\"\ny = \"2*x\"\n";
  EXPECT_TRUE(found_in(system_of({"x", "y"}, kinetic + " - (x^2 + y^2)^2", turn)).empty());
  // Along translations that are symmetries there is nothing new: x p_y - y p_x of a free body is made of its momenta.
  EXPECT_TRUE(found_in(system_of({"x", "y"}, kinetic)).empty());
}

TEST(affine_symmetries, are_told_apart_from_what_is_nearly_one) {
  const auto oscillator = [](const std::string& k) {
    return found_in(system_of({"x", "y"}, kinetic + " - 1/2*x^2 - 1/2*k*y^2", "[parameters]\nk = " + k + "\n")).size();
  };
  EXPECT_EQ(oscillator("1"), 1u);
  EXPECT_EQ(oscillator("\"1 + 1e-9\""), 0u);
  EXPECT_EQ(oscillator("\"1 + 1e-18\""), 0u);
  EXPECT_EQ(oscillator("\"cos(1)^2 + sin(1)^2\""), 1u);
}

// Walls that are less, wherever the search looks, than the last digit of quad beside what they break.
TEST(affine_symmetries, see_what_is_far_below_rounding) {
  const std::string isotropic = kinetic + " - 1/2*(x^2 + y^2)";
  EXPECT_EQ(names_in(system_of({"x", "y"}, isotropic)), list{"rotation_xy"});
  // Proofs see 1e-700, and 1e-210 without MPFR.
  for (const char* wall : {"20/(1 + ((x - 3)/0.01)^12)", "(x/1e4)^40", "1e-3*(x/1e4)^30", "(x/1e8)^100", "1e-200*x",
                           has_mpfr ? "1/(1 + ((x - 3)/0.01)^120)" : "1/(1 + ((x - 3)/0.01)^70)"}) {
    EXPECT_TRUE(names_in(system_of({"x", "y"}, isotropic + " - " + wall)).empty()) << wall;
  }
  EXPECT_EQ(names_in(system_of({"x", "y"}, isotropic + " - ((x^2 + y^2)/1e8)^20")), list{"rotation_xy"});
  const std::string pair = "1/2*(x1'^2 + x2'^2) - 1/2*(x1 - x2)^2";
  EXPECT_TRUE(names_in(system_of({"x1", "x2"}, pair + " - (x1/5e3)^60")).empty());
  EXPECT_EQ(names_in(system_of({"x1", "x2"}, pair + " - ((x1 - x2)/5e3)^60")), list{"momentum_x"});
  // On a constraint as well, and where entries are roots and parameters.
  const std::string sphere = "[constraints]\nrod = \"x^2 + y^2 + z^2 - 1\"\n", space = "1/2*(x'^2 + y'^2 + z'^2) - z",
                    parameters = "[parameters]\nm = \"pi\"\n";
  const list upright{"1", "0", "0"};
  EXPECT_EQ(names_in(system_of({"x", "y", "z"}, space, sphere, upright)), list{"rotation_xy"});
  EXPECT_TRUE(names_in(system_of({"x", "y", "z"}, space + " - (x/1e4)^40", sphere, upright)).empty());
  EXPECT_EQ(found_in(system_of({"x", "y"}, "1/2*x'^2 + 3/2*y'^2 - cos(x - sqrt(2)*y)")),
            list{"momentum_x_y: x = 1, y = sqrt(1/2)"});
  EXPECT_TRUE(
      names_in(system_of({"x", "y"}, "1/2*x'^2 + m/2*y'^2 - cos(x^2 + m*y^2) - (x/1e4)^40", parameters)).empty());
}

TEST(affine_symmetries, are_written_with_exact_numbers) {
  const std::string parameters = "[parameters]\nm = \"pi\"\nR = \"exp(1)\"\n";
  EXPECT_EQ(found_in(system_of({"x", "y"}, "1/2*x'^2 + m/2*y'^2 - cos(x^2 + m*y^2)", parameters)),
            list{"rotation_xy: x = -y, y = x/m"});
  EXPECT_EQ(found_in(system_of({"x", "phi"}, "1/2*x'^2 + 1/2*phi'^2 - cos(x - R*phi)", parameters)),
            list{"momentum_x_phi: x = 1, phi = 1/R"});
  EXPECT_EQ(found_in(system_of({"x", "y"}, kinetic + " - ((x - 3)^2 + (y + 1/2)^2)^2")),
            list{"rotation_xy: x = -(y + 1/2), y = x - 3"});
}

TEST(affine_symmetries, hold_on_all_sides) {
  const auto potential = [](const std::string& V) {
    return names_in(system_of({"x", "y"}, kinetic + " - y^4 - (" + V + ")"));
  };
  EXPECT_TRUE(potential("abs(x)").empty());
  EXPECT_TRUE(potential("abs(x - 3) + x").empty());
  EXPECT_TRUE(potential("(abs(x - 50) + x - 50)^2").empty());
  EXPECT_TRUE(potential("sqrt((x - 3)^2) + x").empty());
  EXPECT_TRUE(potential("sign(x)").empty());
  EXPECT_TRUE(potential("exp(-(x - 50)^2)").empty());
  EXPECT_TRUE(potential("exp(-1000*(x - 5)^2)").empty());
  EXPECT_TRUE(potential("tanh(100*(x - 30))").empty());
  for (const char* narrow : {"exp(-((x - 3.3)/1e-6)^2)", "2^(-((x - 3)*100)^2)", "0.5^(x^2*1e9)"}) {
    EXPECT_TRUE(potential(narrow).empty()) << narrow;
  }
  EXPECT_EQ(potential("cos(x)^2 + sin(x)^2"), list{"p_x"});
  EXPECT_EQ(names_in(system_of({"x", "y"}, kinetic + " - abs(x - y)")), list{"momentum_x_y"});
  EXPECT_EQ(names_in(system_of({"x", "y"}, kinetic + " - (x^2 + y^2)^(3/2)")), list{"rotation_xy"});
  EXPECT_EQ(names_in(system_of({"x", "y"}, kinetic + " - exp(x)*exp(-y) - cosh(x - y)")), list{"momentum_x_y"});
}

TEST(affine_symmetries, leave_forces_without_work) {
  const std::string L = kinetic + " - (x^2 + y^2)^2";
  EXPECT_TRUE(found_in(system_of({"x", "y"}, L, "[forces]\nx = \"-x'\"\ny = \"-y'\"\n")).empty());
  EXPECT_EQ(names_in(system_of({"x", "y"}, L, "[forces]\nx = \"-x\"\ny = \"-y\"\n")), list{"rotation_xy"});
  EXPECT_EQ(names_in(system_of({"x", "y"}, kinetic + " - (x - y)^2",
                               "[forces]\nx = \"-sign(x' - y')\"\ny = \"sign(x' - y')\"\n")),
            list{"momentum_x_y"});
}

TEST(affine_symmetries, hold_at_all_times) {
  EXPECT_TRUE(names_in(system_of({"x", "y"}, kinetic + " - x^2 - y^2*(1 + t)")).empty());
  EXPECT_EQ(names_in(system_of({"x", "y"}, kinetic + " - (x^2 + y^2)*(1 + t)")), list{"rotation_xy"});
}

// Two springs between three masses float freely.
TEST(affine_symmetries, of_linear_models_are_their_rigid_motions) {
  const lagrangian_system system = parse_model(R"toml(coordinates = ["q1", "q2", "q3"]
[linear]
mass = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]
stiffness = [[1, -1, 0], [-1, 3, -2], [0, -2, 2]]
[initial.position]
q1 = 0
q2 = 0
q3 = 0
[initial.velocity]
q1 = 1
q2 = 0
q3 = 0
)toml",
                                               "m.toml")
                                       .system;
  EXPECT_EQ(found_in(system), list{"momentum_q: q1 = 1, q2 = 1, q3 = 1"});
}

TEST(affine_symmetries, change_with_parameters) {
  lagrangian_system system =
      system_of({"x", "y"}, kinetic + " - x^4 - k*y^4 - c*x^2*y^2", "[parameters]\nk = 1\nc = 2\n");
  EXPECT_EQ(names_in(system), list{"rotation_xy"});
  const std::size_t c = 1;
  EXPECT_TRUE(find_affine_symmetries(system, std::span(&c, 1)).found.empty());
  system.parameters[1].value = expr(3);
  EXPECT_TRUE(names_in(system).empty());
}

// Piece by piece nothing depends on the angle or on x, but the places of the jumps do.
TEST(affine_symmetries, do_not_move_jumps_that_quotients_make) {
  const auto names = [](const std::string& more) {
    return names_in(system_of({"x", "y"}, "1/2*(x'^2 + y'^2) - 1/2*(x^2 + y^2)" + more));
  };
  EXPECT_EQ(names("").size(), 1u);
  EXPECT_TRUE(names(" - 0.01*abs(x*y)/(x*y)").empty());
  EXPECT_TRUE(names(" - 0.1*sqrt((x-1)^2)/(x-1)").empty());
  EXPECT_TRUE(names_in(system_of({"x", "y"}, "1/2*(x'^2 + y'^2) - y^4 - 0.1*sqrt((x-3)^2)/(x-3)")).empty());
}

TEST(affine_symmetries, of_nothing_that_has_no_lagrangian) {
  const lagrangian_system decay =
      lagrangian_system::from_equations("decay", {"y"}, [](auto, auto y) { return std::vector{-y[0]}; });
  EXPECT_EQ(affine_symmetries(decay).extent, search_extent::nothing);
}

// Three bodies in a plane and one outside force on the last coordinate, seen through a random rational map q = S u + s:
// of their group exactly what survives is found, whatever the coordinates.
TEST(affine_symmetries, are_as_many_in_other_coordinates) {
  constexpr int n = 4;
  std::mt19937 bits(5);
  std::string q[n], v[n];
  list names;
  for (int i = 0; i < n; ++i) {
    names.push_back("u" + std::to_string(i));
    q[i] = v[i] = "(" + std::to_string(static_cast<int>(bits() % 7)) + "/3";
    v[i] = "(0";
    for (int j = 0; j < n; ++j) {
      const std::string entry =
          std::to_string(static_cast<int>(bits() % 9) - 4 + (i == j ? 11 : 0)) + "/5*u" + std::to_string(j);
      q[i] += " + " + entry;
      v[i] += " + " + entry + "'";
    }
    q[i] += ")";
    v[i] += ")";
  }
  const std::string T = v[0] + "^2 + " + v[1] + "^2 + 2*" + v[2] + "^2 + 2*" + v[3] + "^2";
  const auto count = [&](const std::string& V) { return names_in(system_of(names, T + " - (" + V + ")")).size(); };
  const std::string r = "((" + q[0] + " - " + q[2] + ")^2 + (" + q[1] + " - " + q[3] + ")^2)";
  EXPECT_EQ(count(r + "^3"), 3u);                                    // two translations and a rotation
  EXPECT_EQ(count(r + "^3 + " + q[0] + "^2 + " + q[1] + "^2"), 1u);  // the rotation
  EXPECT_EQ(count(r + "^3 + " + q[3] + "^4"), 1u);                   // a translation
  EXPECT_EQ(count(r + "^3 + " + q[0] + "^3 + " + q[3] + "^4"), 0u);
}

}  // namespace
}  // namespace actio
