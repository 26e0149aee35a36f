#include "actio/backend/code_store.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>
#include <vector>

#include "actio/base/digest.hpp"

namespace actio::machine_code {
namespace {

namespace fs = std::filesystem;

class code_store_in : public ::testing::Test {
 protected:
  code_store_in() {
    std::string pattern = ::testing::TempDir() + "actio_store_XXXXXX";
    root_ = mkdtemp(pattern.data());
    folder_ = root_ / "code";
  }
  ~code_store_in() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(root_);
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path file(const std::string& key) const { return folder_ / (key + ".code"); }

  fs::path root_, folder_;
  const std::string key_ = digest("a program"), bytes_ = std::string(5000, 'x') + '\0' + "end";
};

TEST_F(code_store_in, gives_back_what_it_keeps) {
  const code_store store(folder_);
  EXPECT_FALSE(store.find(key_));
  store.keep(key_, bytes_);
  EXPECT_EQ(store.find(key_), bytes_);
  EXPECT_EQ(code_store(folder_).find(key_), bytes_);
  EXPECT_FALSE(store.find(digest("another")));
  EXPECT_EQ(files(), 1U);
}

TEST_F(code_store_in, ignores_and_replaces_damaged_files) {
  const code_store store(folder_);
  store.keep(key_, bytes_);
  const auto size = fs::file_size(file(key_));
  for (const std::size_t place : {std::size_t{0}, std::size_t{30}, std::size_t{2000}, std::size_t{size - 1}}) {
    {
      std::fstream damaged(file(key_), std::ios::in | std::ios::out | std::ios::binary);
      damaged.seekp(static_cast<std::streamoff>(place));
      damaged.put('?');
    }
    EXPECT_FALSE(store.find(key_)) << place;
    store.keep(key_, bytes_);
    EXPECT_EQ(store.find(key_), bytes_);
  }
}

TEST_F(code_store_in, ignores_and_replaces_truncated_files) {
  const code_store store(folder_);
  for (const std::size_t length : {0U, 10U, 60U, 85U, 4000U}) {
    store.keep(key_, bytes_);
    fs::resize_file(file(key_), length);
    EXPECT_FALSE(store.find(key_)) << length;
  }
  store.keep(key_, bytes_);
  EXPECT_EQ(store.find(key_), bytes_);
}

TEST_F(code_store_in, does_not_take_a_file_under_another_name) {
  const code_store store(folder_);
  store.keep(key_, bytes_);
  const std::string other = digest("another");
  fs::rename(file(key_), file(other));
  EXPECT_FALSE(store.find(other));
}

TEST_F(code_store_in, does_not_use_what_others_could_write) {
  const code_store store(folder_);
  store.keep(key_, bytes_);
  chmod(file(key_).c_str(), 0666);
  EXPECT_FALSE(store.find(key_));
  chmod(file(key_).c_str(), 0600);
  EXPECT_TRUE(store.find(key_));
  chmod(folder_.c_str(), 0777);
  EXPECT_FALSE(store.find(key_));
  const std::string other = digest("another");
  store.keep(other, bytes_);
  EXPECT_FALSE(fs::exists(file(other)));
}

TEST_F(code_store_in, does_not_follow_links) {
  const code_store store(folder_);
  store.keep(key_, bytes_);
  fs::rename(file(key_), root_ / "elsewhere");
  fs::create_symlink(root_ / "elsewhere", file(key_));
  EXPECT_FALSE(store.find(key_));
}

TEST_F(code_store_in, does_not_use_what_belongs_to_others) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const code_store store(folder_);
  store.keep(key_, bytes_);
  constexpr uid_t other = 12345;
  ASSERT_EQ(chown(file(key_).c_str(), other, other), 0);
  EXPECT_FALSE(store.find(key_));
  store.keep(key_, bytes_);  // replaced by a file of one's own
  EXPECT_TRUE(store.find(key_));
  ASSERT_EQ(chown(folder_.c_str(), other, other), 0);
  EXPECT_FALSE(store.find(key_));
}

TEST_F(code_store_in, does_without_a_folder) {
  const code_store nowhere{fs::path()};
  nowhere.keep(key_, bytes_);
  EXPECT_FALSE(nowhere.find(key_));
  std::ofstream(root_ / "file") << "not a folder";
  const code_store blocked(root_ / "file" / "code");
  blocked.keep(key_, bytes_);
  EXPECT_FALSE(blocked.find(key_));
}

TEST_F(code_store_in, reads_from_a_folder_that_cannot_be_written) {
  const code_store store(folder_);
  store.keep(key_, bytes_);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(store.find(key_), bytes_);
  store.keep(digest("another"), bytes_);  // root writes nevertheless; nobody fails
  EXPECT_EQ(store.find(key_), bytes_);
}

TEST_F(code_store_in, survives_many_writers) {
  constexpr int processes = 4, rounds = 50;
  const auto contents = [](int i) {
    return std::string(static_cast<std::size_t>(1000 + i), static_cast<char>('a' + i));
  };
  for (int i = 0; i < processes; ++i) {
    if (fork() == 0) {
      const code_store store(folder_);
      bool good = true;
      for (int round = 0; round < rounds; ++round) {
        const std::string key = digest(std::to_string(round % 3));
        store.keep(key, contents(i));
        const auto found = store.find(key);  // anyone's, but whole
        good = good && found && *found == contents(found->front() - 'a');
      }
      _exit(good ? 0 : 1);
    }
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round)
        code_store(folder_).keep(digest(std::to_string(round % 3)), contents(9));
    });
  }
  for (auto& t : threads) t.join();
  for (int i = 0; i < processes; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(files(), 3U);
}

TEST_F(code_store_in, drops_what_was_longest_unused) {
  const code_store store(folder_, 20'000);
  const auto key = [](int i) { return digest(std::to_string(i)); };
  for (int i = 0; i < 3; ++i) {
    store.keep(key(i), bytes_);
    fs::last_write_time(file(key(i)), fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
  }
  EXPECT_TRUE(store.find(key(0)));  // used now, so that key(1) is the oldest
  store.keep(key(3), bytes_);
  EXPECT_TRUE(store.find(key(0)));
  EXPECT_FALSE(store.find(key(1)));
  EXPECT_TRUE(store.find(key(3)));
  store.keep(key(4), std::string(30'000, 'y'));  // larger than all
  EXPECT_FALSE(store.find(key(4)));
}

}  // namespace
}  // namespace actio::machine_code
