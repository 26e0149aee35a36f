// Everything that can be wrong with indices, sizes and tables.
#include <gtest/gtest.h>

#include "actio/mechanics/model.hpp"
#include "actio/program/program.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::temporary_folder;

struct wrong_model {
  std::string id, potential, rest, message;
};

const std::string bonds = "[tables.bonds]\ncolumns = [\"a\", \"b\"]\n";

const std::vector<wrong_model> wrong_models = {
    {"unknown-member", "(q[n+1] - q[n])^2", "",
     "q[4] does not exist: q goes from 1 to 3, FILE:2:45; define the members beyond, as in \"q[4]\" = 0"},
    {"unknown-member", "x[1]", "", "x[1] does not exist, FILE:2:44; declare it with a range, as in \"x[1..n]\""},
    {"unknown-member", "k[2]", "[parameters]\nk = 1\n", "k[2] does not exist, FILE:2:44; 'k' has no members"},
    {"unknown-name", "x[2]", "[definitions]\n\"x[i = 1..n]\" = \"x[i+1]\"\n",
     "'x[2]' in definition x[1] is defined later, FILE:6:18; a recursion goes on from members that are defined before: "
     "x[1] is defined first"},
    {"bad-index", "q[n/2]", "",
     "an index is 3/2 in lagrangian, FILE:2:46; indices are whole numbers made of numbers, sizes and other indices"},
    {"bad-index", "q[k]", "[parameters]\nk = 1\n",
     "an index is no number in lagrangian, FILE:2:46; indices are whole numbers made of numbers, sizes and other "
     "indices"},
    {"bad-index", "sum(i = 1, q[i])", "", "a range has two ends, found ',' in lagrangian, FILE:2:53; write i = 1..n"},
    {"bad-index", "sum(q[1])", "",
     "a sum begins with a range in lagrangian, FILE:2:48; write sum(i = 1..n, ...) or sum(e in table, ...)"},
    {"expression-syntax", "sum(i = 1..n q[i])", "",
     "expected ',' behind the range, found 'q' in lagrangian, FILE:2:57; write sum(i = 1..n, ...)"},
    {"expression-syntax", "q[1", "", "this '[' is never closed in lagrangian, FILE:2:45; add the missing ']'"},
    {"expression-syntax", "(q[1] = 2)", "",
     "unexpected character '=' in lagrangian, FILE:2:50; an expression has no '='; write only its right-hand side, and "
     "compare with =="},
    {"unknown-table", "sum(e in bonds, q[e.a])", "",
     "the model has no table 'bonds' in lagrangian, FILE:2:53; add [tables.bonds] with columns and rows"},
    {"bad-index", "sum(e in bonds, q[e.c])", bonds + "rows = [[1, 2]]\n",
     "the table 'bonds' has no column 'c' in lagrangian, FILE:2:64; known: a, b"},
    {"bad-index", "sum(e in bonds, q[e])", bonds + "rows = [[1, 2]]\n",
     "'e' is a row of the table 'bonds' and no number in lagrangian, FILE:2:62; take one of its columns, as in e.a"},
    {"table-column", "0", bonds + "rows = [[1, 2], [3]]\n",
     "a row of the table 'bonds' has 1 values for 2 columns, FILE:7:17; give one value a column"},
    {"table-column", "0", "[tables.bonds]\ncolumns = [\"a\", \"a\"]\nrows = []\n",
     "the column 'a' stands there twice, FILE:6:17; give each column its own name"},
    {"wrong-type", "0", bonds + "rows = [[1, true]]\n", "a value of a row must be a number, not true or false"},
    {"bad-number", "0", bonds + "rows = [[1, \"k\"]]\n",
     "'k' is no number, FILE:7:13; write a number such as 2.5, or a fraction in quotes"},
    {"missing-key", "0", "[tables.bonds]\ncolumns = [\"a\"]\n",
     "the table 'bonds' needs either a file or rows, FILE:5:9; write rows = [[1, 2], [2, 3]], or file = \"bonds.csv\""},
    {"missing-key", "0", "[tables.bonds]\nrows = [[1]]\n",
     "the table 'bonds' has no 'columns', FILE:5:9; name them, as in columns = [\"a\", \"b\"]"},
    {"path-outside", "0", "[tables.bonds]\nfile = \"../b.csv\"\n",
     "'../b.csv' leaves the folder of the model, FILE:6:8; put the file beside the model and give its name"},
    {"duplicate-name", "0", "[parameters]\nn = 1\n",
     "the name 'n' of a parameter is taken by a size, FILE:6:1; give each thing its own name"},
    {"too-many-elements", "sum(i = 1..n, j = 1..10^9, k = 1..10^9, 1)", "", "sums have more than"},
    {"too-many-elements", "sum(i = 1..10^4, sum(j = 1..10^4, sum(k = 1..0, 1)))", "", "sums have more than"},
    {"too-many-elements", "sum(i = 1..10^10, 1)", "", "the index 10000000000 is too large"},
    {"too-many-elements", "0", "[parameters]\n\"m[i = 1..10^9, j = 1..n]\" = 1\n",
     "'m[i = 1..10^9, j = 1..n]' stands for more than 4000000 members"},
};

TEST(errors, wrong_indices_are_named) {
  for (const wrong_model& wrong : wrong_models) {
    const std::string text = "coordinates = [\"q[1..n]\"]\nlagrangian = \"sum(i = 1..n, 1/2*q[i]'^2) - " +
                             std::string(wrong.potential) + "\"\n[sizes]\nn = 3\n" + wrong.rest;
    std::string expected = wrong.message;
    if (const std::size_t at = expected.find("FILE"); at != std::string::npos) expected.replace(at, 4, "m.toml");
    try {
      parse_model(text, "m.toml");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const input_error& error) {
      EXPECT_EQ(error.id(), wrong.id) << text;
      EXPECT_TRUE(std::string(error.what()).starts_with(expected)) << error.what() << "\n" << expected;
    }
  }
}

// Counted before tables are made.
TEST(errors, sums_of_too_many_elements_are_refused) {
  try {
    parse_model(
        "coordinates = [\"q[1..n]\"]\nlagrangian = \"sum(i = 1..n, q[i]'^2/2) - sum(i = 1..n, j = i+1..n, k = "
        "1..10^6, (q[i]-q[j])^2)\"\n[sizes]\nn = 100\n",
        "m.toml");
    ADD_FAILURE();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "too-many-elements");
    EXPECT_STREQ(error.what(),
                 "a sum has more than 200000000 elements in lagrangian, m.toml:2:45; choose smaller sizes");
  }
}

TEST(errors, wrong_sizes_are_named) {
  const auto message = [](const std::string& size) -> std::string {
    try {
      parse_model("coordinates = [\"q[1..n]\"]\nlagrangian = \"sum(i = 1..n, 1/2*q[i]'^2)\"\n[sizes]\nn = " + size,
                  "m.toml");
    } catch (const input_error& error) {
      return error.id() + ": " + error.what();
    }
    return "";
  };
  EXPECT_EQ(message("2.5"),
            "bad-size: an index is 5/2 in size n, m.toml:4:5; sizes are whole numbers, or made of sizes above them");
  EXPECT_EQ(message("-1"), "bad-size: the size 'n' is -1, m.toml:4:5; sizes are whole numbers from 0 to 1000000000");
  EXPECT_TRUE(message("10000000000").starts_with("too-many-elements: "));
  EXPECT_TRUE(message("900000000").starts_with("too-many-elements: 'q[1..n]' stands for more than"));
  EXPECT_TRUE(message("true").starts_with("wrong-type: "));
  model lattice =
      parse_model("coordinates = [\"q[1..n]\"]\nlagrangian = \"sum(i = 1..n, 1/2*q[i]'^2)\"\n[sizes]\nn = 2", "m.toml");
  try {
    set_parameter(lattice, {"n=-3", {}, ""});
    ADD_FAILURE();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "bad-size");
  }
  EXPECT_TRUE(message("0").starts_with("missing-key: "));
}

TEST(errors, coordinates_in_a_range_that_goes_down) {
  try {
    parse_model("coordinates = [\"q[3..1]\"]\nlagrangian = \"1/2*q[1]'^2\"\n", "m.toml");
    ADD_FAILURE();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "bad-index");
    EXPECT_EQ(std::string(error.what()),
              "'q[3..1]' has no members: ranges go up, and 3 is beyond 1, m.toml:1:17; write the smaller end first, as "
              "in q[1..3]");
  }
}

TEST(errors, wrong_files_of_tables_are_named) {
  const temporary_folder folder;
  const auto message = [&](const std::string& csv, const std::string& columns = "") -> std::string {
    folder.write("b.csv", csv);
    const std::string path = folder.write(
        "m.toml", "coordinates = [\"q\"]\nlagrangian = \"1/2*q'^2\"\n[tables.b]\nfile = \"b.csv\"\n" + columns);
    try {
      read_model(path);
    } catch (const input_error& error) {
      return error.id() + ": " + error.message() + ", " + std::to_string(error.place().line);
    }
    return "";
  };
  EXPECT_EQ(message("a,b\n1,2\n1\n"), "table-column: the line has 1 values for 2 columns, 3");
  EXPECT_EQ(message("a,b\n1,x\n"), "bad-number: 'x' is no number, 2");
  EXPECT_EQ(message("a,a\n1,2\n"), "table-column: the column 'a' has no name of its own, 1");
  EXPECT_EQ(message("a,b\r1,2\r1\r"), "table-column: the line has 1 values for 2 columns, 3");
  EXPECT_EQ(message("a,b\r\n1,2\r\n1\r\n"), "table-column: the line has 1 values for 2 columns, 3");
  EXPECT_EQ(message("a,z\"\n1,2\n"), "table-column: 'z\"' is no name of a column, 1");
  EXPECT_EQ(message("#\n"), "table-column: the file has no columns, 0");
  EXPECT_EQ(message("a,b\n# none\n"), std::string("table-empty") + ": the file names columns, but has no rows, 0");
  EXPECT_EQ(message("a,b\n1,2\n", "columns = [\"a\", \"c\"]\n"), "table-column: the file has no column 'c', 1");
  EXPECT_EQ(message("a,b\n1,2\n", "columns = [\"b\"]\n"), "");
}

TEST(index_errors, a_symbol_without_a_value_is_named) {
  const expr sum = expr::symbol("(sum 1)");
  try {
    lower(std::span(&sum, 1), {}, {});
    FAIL() << "it was lowered";
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "unbound-symbol");
    EXPECT_NE(error.message().find("'(sum 1)'"), std::string::npos);
  }
}

}  // namespace
}  // namespace actio
