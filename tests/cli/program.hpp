// Runs the real program and looks at what it says.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace actio::testing {

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder that goes away with its contents.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "actio_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~temporary_folder() { std::filesystem::remove_all(path_); }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

struct outcome {
  int status = -1;  // exit status, or 128 + signal
  std::string out, err;
};

// Where a program writes to instead of the files that are read at its end; "closed" is a descriptor that is not open.
struct streams {
  std::string out, err;
};

// A program that is running; its output goes to files, so that it never waits for a reader. Signals have their usual
// meaning, whatever those who started the tests have made of them.
class started_program {
 public:
  explicit started_program(const std::vector<std::string>& arguments, const streams& to = {}) {
    std::vector<char*> words;
    std::string name = ACTIO_PROGRAM;
    std::vector<std::string> copies = arguments;
    words.push_back(name.data());
    for (std::string& word : copies) words.push_back(word.data());
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    const auto send = [&](int descriptor, const std::string& target, const std::string& usual) {
      if (target == "closed") posix_spawn_file_actions_addclose(&files, descriptor);
      else posix_spawn_file_actions_addopen(&files, descriptor, (target.empty() ? usual : target).c_str(), flags, 0600);
    };
    send(STDOUT_FILENO, to.out, folder_.path("out"));
    send(STDERR_FILENO, to.err, folder_.path("err"));
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int error = posix_spawn(&process_, ACTIO_PROGRAM, &files, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw std::runtime_error("cannot start " ACTIO_PROGRAM);
  }

  pid_t process() const { return process_; }

  outcome wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    outcome result;
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.out = contents(folder_.path("out"));
    result.err = contents(folder_.path("err"));
    return result;
  }

 private:
  temporary_folder folder_;
  pid_t process_ = -1;
};

inline outcome actio_program(const std::vector<std::string>& arguments, const streams& to = {}) {
  return started_program(arguments, to).wait();
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// A mass on a spring with a turn of 2 pi, its defaults in [run].
inline const std::string oscillator_model = R"toml(name = "spring"
coordinates = ["x"]
lagrangian = "1/2*m*x'^2 - 1/2*k*x^2"
[parameters]
m = 1
k = 1
[observables]
double_x = "2*x"
[initial.position]
x = 1
[initial.momentum]
x = 0
[run]
method = "midpoint"
step = 0.5
steps = 4
)toml";

// Runs against the logarithm: steps that are not short enough end at a negative x.
inline const std::string falling_model = R"toml(coordinates = ["x"]
lagrangian = "1/2*x'^2 + log(x)"
[initial.position]
x = 1
[initial.velocity]
x = -3
[run]
step = 0.1
until = 10
)toml";

// Falls into the logarithm: the motion ends where x reaches 0.
inline const std::string ending_model = R"toml(coordinates = ["x"]
lagrangian = "1/2*x'^2 - log(x)"
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
step = 0.1
until = 10
)toml";

}  // namespace actio::testing
