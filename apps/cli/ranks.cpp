#include "apps/cli/ranks.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "actio/base/error.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"

#ifdef ACTIO_WITH_MPI
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#endif

namespace actio::cli {

namespace {

// What Open MPI, MPICH and Slurm's srun tell the processes that they start: the name of a number of them.
bool was_started_with_others() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MV2_COMM_WORLD_SIZE"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

#ifdef ACTIO_WITH_MPI

// The main thread of rank 0 hands out ranges while another computes: only main threads call MPI.
class mpi_ranks final : public started_ranks {
 public:
  mpi_ranks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &size_here_);
    MPI_Comm_free(&here);
  }
  ~mpi_ranks() override { MPI_Finalize(); }

  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t size() const override { return static_cast<std::size_t>(size_); }
  std::size_t size_here() const override { return static_cast<std::size_t>(size_here_); }

  std::string first_of(const std::string& text) override {
    int mine = text.empty() ? size_ : rank_, first = size_;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == size_) {
      is_agreed_ = true;
      return "";
    }
    std::uint64_t length = text.size();
    MPI_Bcast(&length, 1, MPI_UINT64_T, first, MPI_COMM_WORLD);
    std::string result = first == rank_ ? text : std::string(length, '\0');
    MPI_Bcast(result.data(), static_cast<int>(length), MPI_CHAR, first, MPI_COMM_WORLD);
    return result;
  }

  void share(const std::vector<trajectory_range>& work, const std::function<bool()>& is_over,
             const std::function<void(const range_source&)>& compute) override {
    if (rank_ == 0) return lead(work, is_over, compute);
    compute([this] { return asked_for(); });
    MPI_Send(nullptr, 0, MPI_CHAR, 0, ended, MPI_COMM_WORLD);
  }

 private:
  enum tag { ask, answer, ended };
  using numbers = std::array<std::uint64_t, 2>;  // first and end of a range; the same where there is none

  static std::optional<trajectory_range> asked_for() {
    numbers range{};
    MPI_Send(nullptr, 0, MPI_CHAR, 0, ask, MPI_COMM_WORLD);
    MPI_Recv(range.data(), 2, MPI_UINT64_T, 0, answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (range[0] == range[1]) return {};
    return trajectory_range{range[0], range[1]};
  }

  void lead(const std::vector<trajectory_range>& work, const std::function<bool()>& is_over,
            const std::function<void(const range_source&)>& compute) const {
    std::mutex turn;
    range_queue queue(work, size());
    const range_source next = [&]() -> std::optional<trajectory_range> {
      const std::lock_guard mine(turn);
      return is_over() ? std::nullopt : queue.next();
    };
    std::atomic<bool> has_ended = false;
    std::thread own([&] {
      compute(next);
      has_ended = true;
    });
    for (int others = size_ - 1; others > 0 || !has_ended;) {
      int is_there = 0;
      MPI_Status from;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &from);
      if (is_there == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      MPI_Recv(nullptr, 0, MPI_CHAR, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (from.MPI_TAG == ended) {
        --others;
        continue;
      }
      const trajectory_range range = next().value_or(trajectory_range());
      const numbers told{range.first, range.end};
      MPI_Send(told.data(), 2, MPI_UINT64_T, from.MPI_SOURCE, answer, MPI_COMM_WORLD);
    }
    own.join();
  }

  int rank_ = 0, size_ = 1, size_here_ = 1;
};

#endif

}  // namespace

std::unique_ptr<started_ranks> started_ranks::find() {
  if (!was_started_with_others()) return nullptr;
#ifdef ACTIO_WITH_MPI
  return std::make_unique<mpi_ranks>();
#else
  throw input_error("mpi-unavailable", "several processes were started, but this build of actio has no MPI",
                    {"actio ensemble", 0, 0}, "start parts with --part K/P, or build actio with MPI");
#endif
}

int started_ranks::guarded(const std::function<int()>& command) {
  std::string message;
  try {
    return command();
  } catch (const rank_error& error) {
    message = error.what();
  } catch (const std::exception& error) {
    message = is_agreed_ ? error.what() : first_of(error.what());
  }
  if (rank() == 0) note("actio: {}\n", message);
  return exit_input_wrong;
}

}  // namespace actio::cli
