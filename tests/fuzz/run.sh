#!/usr/bin/env bash
# Builds the fuzz targets with clang in build/fuzz and runs each of them from the kept corpus: `make fuzz`.
#   tests/fuzz/run.sh [SECONDS [TARGET …]]     30 seconds and all targets where nothing else is said
# A finding ends it with an error and is left beside the targets, in a file named after its target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-30}
targets=("${@:2}")
source=tests/fuzz
build=build/fuzz

if ! command -v clang++-19 >/dev/null; then
  echo "clang++-19 with libFuzzer not found: nothing is fuzzed (make test replays the kept inputs)" >&2
  exit 1
fi
cmake -S $source -B $build -G Ninja -D CMAKE_CXX_COMPILER=clang++-19
cmake --build $build --parallel "${JOBS:-$(nproc)}"
if [[ ${#targets[@]} -eq 0 ]]; then
  targets=(expression model checkpoint)
  [[ ! -x $build/fuzz_trajectory ]] || targets+=(trajectory)
fi
# Each input may take 5 seconds of the processor (fuzz.hpp); the timeout here is for what never ends.
for target in "${targets[@]}"; do
  echo "fuzzing $target for $seconds seconds"
  ASAN_OPTIONS=quarantine_size_mb=32 $build/fuzz_"$target" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=512 \
    -max_len=4096 -seed=1 -print_final_stats=1 -dict=$source/words.dict -artifact_prefix=$build/"$target"- \
    $build/corpus/"$target" $(compgen -G "$source/corpus/$target" || true)
done
