#include "actio/io/row_sink.hpp"

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::contents;
using testing::temporary_folder;

sink_request request_for(const std::string& path, std::vector<std::string> columns = {"t", "x"}) {
  return {.path = {path, {"--output", 0, 0}, "--output"}, .columns = std::move(columns)};
}

template <class Action>
std::string refusal(const std::string& id, Action&& action) {
  try {
    action();
  } catch (const input_error& e) {
    EXPECT_EQ(e.id(), id) << e.what();
    return e.message();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

TEST(row_sink, has_one_writer_an_output) {
  const temporary_folder folder;
  for (const std::string& ending : sink_endings()) {
    const std::string path = folder.path("a" + ending);
    auto first = open_sink<double>(request_for(path));
    const std::string message = refusal("output-in-use", [&] { open_sink<double>(request_for(path)); });
    EXPECT_NE(message.find("is being written by process " + std::to_string(getpid())), std::string::npos) << message;
    EXPECT_NE(refusal("output-in-use", [&] { open_sink<double>(request_for(folder.path("./a" + ending))); }), "");
    first->append(std::vector<double>{0, 1});
    first->close();
    first.reset();
    EXPECT_FALSE(std::filesystem::exists(path + ".lock"));
    EXPECT_NO_THROW(open_sink<double>(request_for(path)));
  }
}

TEST(row_sink, knows_a_file_by_its_other_names) {
  const temporary_folder folder;
  std::filesystem::create_hard_link(folder.write("a.csv", ""), folder.path("b.csv"));
  const auto first = open_sink<double>(request_for(folder.path("a.csv")));
  first->append(std::vector<double>{0, 1});
  first->flush();
  EXPECT_NE(refusal("output-in-use", [&] { open_sink<double>(request_for(folder.path("b.csv"))); }), "");
  EXPECT_EQ(contents(folder.path("a.csv")), "t,x\n0,1\n");
}

TEST(row_sink, locks_its_other_tables_too) {
  const temporary_folder folder;
  sink_request request = request_for(folder.path("a.csv"));
  request.more.push_back({"poincare", {"x"}});
  const auto first = open_sink<double>(request);
  EXPECT_NE(refusal("output-in-use", [&] { open_sink<double>(request_for(folder.path("a.poincare.csv"))); }), "");
}

TEST(row_sink, refuses_columns_of_one_name) {
  const temporary_folder folder;
  const auto message = [&](const std::string& name, std::vector<std::string> columns) {
    return refusal("duplicate-name", [&] { open_sink<double>(request_for(folder.path(name), std::move(columns))); });
  };
  EXPECT_EQ(message("a.csv", {"t", "x", "t"}), "two columns of '" + folder.path("a.csv") + "' would be called 't'");
  EXPECT_NE(message("a.npy", {"a'b", "a_b"}), "");
  if (sink_endings().size() > 2) {
    EXPECT_NE(message("a.h5", {"a/b", "a_b"}), "");
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.csv")));
}

// A reader finds every row that was flushed, and no row in part, at any moment.
TEST(row_sink, says_in_a_npy_file_how_many_rows_there_are) {
  const temporary_folder folder;
  const std::string path = folder.path("a.npy");
  const auto count = [&] { return std::stoul(contents(path).substr(contents(path).find("'shape': (") + 10)); };
  sink_request request = request_for(path);
  const auto sink = open_sink<double>(request);
  sink->flush();
  EXPECT_EQ(count(), 0U);
  for (int k = 0; k < 3; ++k) sink->append(std::vector<double>{1, 2});
  EXPECT_EQ(count(), 0U);
  EXPECT_EQ(sink->kept_rows(), 0U);
  sink->flush();
  EXPECT_EQ(count(), 3U);
  EXPECT_EQ(sink->kept_rows(), 3U);
}

TEST(row_sink, names_npy_columns_beyond_ascii_in_the_version_that_can) {
  const temporary_folder folder;
  open_sink<double>(request_for(folder.path("a.npy"), {"t", "φ"}))->close();
  open_sink<double>(request_for(folder.path("b.npy")))->close();
  EXPECT_EQ(contents(folder.path("a.npy")).substr(0, 8), std::string("\x93NUMPY\x03\x00", 8));
  EXPECT_EQ(contents(folder.path("b.npy")).substr(0, 8), std::string("\x93NUMPY\x02\x00", 8));
}

// What the main table lists has all its rows in the others.
TEST(row_sink, brings_other_tables_to_the_disk_first) {
  const temporary_folder folder;
  sink_request request = request_for(folder.path("a.csv"));
  request.more.push_back({"poincare", {"x"}});
  const auto sink = open_sink<double>(request);
  sink->flush();
  for (int k = 0; k < 100000; ++k) {
    sink->append_to(0, std::vector<double>{0.5});
    sink->append(std::vector<double>{0.1, 0.2});
  }
  EXPECT_EQ(contents(folder.path("a.csv")), "t,x\n");
  sink->close();
  EXPECT_EQ(testing::lines_of(contents(folder.path("a.csv"))).size(), 100001U);
  EXPECT_EQ(testing::lines_of(contents(folder.path("a.poincare.csv"))).size(), 100001U);
}

TEST(row_sink, ends_the_life_of_the_checkpoint_beside_an_old_output) {
  const temporary_folder folder;
  for (const std::string& ending : sink_endings()) {
    const std::string checkpoint = folder.write("a" + ending + ".checkpoint", "actio checkpoint 1\n");
    open_sink<double>(request_for(folder.path("a" + ending)));
    EXPECT_FALSE(std::filesystem::exists(checkpoint)) << ending;
  }
}

}  // namespace
}  // namespace actio
