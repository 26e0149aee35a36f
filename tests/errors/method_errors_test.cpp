// What can be wrong with a method that is to be registered, or asked for more than it has.
#include <gtest/gtest.h>

#include "actio/integrate/galerkin_methods.hpp"
#include "actio/simulate/integrator.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

method in_double_alone(std::string name) {
  method m = *find_method("verlet");
  m.name = std::move(name);
  m.aliases = {};
  m.in_quad = {};
  m.in_multi = {};
  return m;
}

template <class Action>
std::string refusal(const std::string& id, Action action) {
  try {
    action();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused: " << id;
  return "";
}

TEST(bad_method, has_a_name_that_cannot_be) {
  for (const char* name : {"", "My-method", "my method", "-m", "2m", "m:1", "auto", "all"}) {
    const std::string text = refusal("bad-method", [&] { register_method(in_double_alone(name)); });
    EXPECT_TRUE(text.starts_with("'" + std::string(name) + "' cannot be the name of a method; give small letters"))
        << text;
  }
  method m = in_double_alone("proper");
  m.aliases = {"Improper"};
  refusal("bad-method", [&] { register_method(m); });
  EXPECT_EQ(find_method("proper"), nullptr);
}

TEST(bad_method, lacks_a_step_or_an_order) {
  method m = in_double_alone("lacking");
  m.in_double = {};
  EXPECT_EQ(refusal("bad-method", [&] { register_method(m); }),
            "method 'lacking' makes no steps in double; set method::in_double");
  m = in_double_alone("lacking");
  m.traits.order = 0;
  EXPECT_EQ(refusal("bad-method", [&] { register_method(m); }), "method 'lacking' has no order; set method::traits");
}

TEST(bad_method, has_nodes_that_cannot_be) {
  const std::vector<galerkin_scheme> wrong = {{0, node_family::gauss, 1},    {3, node_family::gauss, 2},
                                              {1, node_family::lobatto, 1},  {1, node_family::gauss, 0},
                                              {2, node_family::left_end, 2}, {1, node_family::right_end, 2}};
  for (const galerkin_scheme& scheme : wrong) {
    const std::string text = refusal("bad-method", [&] { galerkin_method("wrong", scheme); });
    EXPECT_TRUE(text.starts_with("method 'wrong' has a path of degree ")) << text;
  }
}

TEST(duplicate_method, has_a_name_that_is_taken) {
  EXPECT_EQ(refusal("duplicate-method", [] { register_method(in_double_alone("simpson")); }),
            "there is a method 'simpson' already; give the method another name");
  method m = in_double_alone("new-name");
  m.aliases = {"leapfrog"};
  EXPECT_EQ(refusal("duplicate-method", [&] { register_method(m); }),
            "there is a method 'leapfrog' already; give the method another name");
  EXPECT_EQ(find_method("new-name"), nullptr);
}

TEST(method_lacks_precision, is_refused_by_name) {
  const method& m = register_method(in_double_alone("verlet-in-double"));
  const lagrangian_system system = load_model("pendulum").system;
  EXPECT_NO_THROW((integrator<double>(system, {.method = m.name, .step = 0.1})));
  EXPECT_EQ(
      refusal("method-lacks-precision", [&] { integrator<quad>(system, {.method = m.name, .step = quad(0.1)}); }),
      "method 'verlet-in-double' computes in double, not in quad precision; leave 'precision' out, or choose a method "
      "of actio, such as simpson");
  const precision_scope scope(40);
  const std::string text =
      refusal("method-lacks-precision", [&] { integrator<multi>(system, {.method = m.name, .step = multi(1) / 10}); });
  const std::string digits = std::to_string(digits_in_use());
  EXPECT_TRUE(text.starts_with("method 'verlet-in-double' computes in double, not with " + digits + " digits")) << text;
}

}  // namespace
}  // namespace actio
