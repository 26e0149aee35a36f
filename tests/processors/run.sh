#!/usr/bin/env bash
# Other processors by emulation: tests/processors/run.sh BUILD.
#   NEON kernels, made by this machine's LLVM, give the bits of their text on an emulated ARM64.
#   The program and its tests on x86-64 processors that have less than this one.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
# Emulators note what features they lack; that is of interest where something failed.
trap 'status=$?; [[ $status -eq 0 ]] || cat "$folder/notes" >&2 || true; rm -rf "$folder"' EXIT

echo "ARM64: kernels in NEON"
aarch64-linux-gnu-g++ -std=c++20 -O2 -Wall -I"$source" -c "$source/tests/processors/run_kernel.cpp" -o "$folder/run_kernel.o"
"$build/write_kernels" "$folder" > "$folder/kernels"
while read -r kernel; do
  aarch64-linux-gnu-g++ -static "$folder/run_kernel.o" "$folder/$kernel.o" -o "$folder/$kernel"
  printf '  %-28s' "$kernel"
  qemu-aarch64-static "$folder/$kernel" "$folder/${kernel%.*}.data" "${kernel##*.}"
done < "$folder/kernels"

# Without FMA (x86-64-v2) models are interpreted; with AVX2 (v3) they become machine code of 4 lanes. What is
# interpreted is compiled for each of them, and has the bits of this processor.
ensemble=(ensemble kepler --sample "x=normal(1,0.001)" --count 5 --steps 20 --step 0.01 --method gauss-3 --quiet)
export ACTIO_CACHE_DIR="$folder/cache"
"$build/actio" "${ensemble[@]}" --output "$folder/here.csv" > /dev/null
"$build/actio" "${ensemble[@]}" --backend interpreter --output "$folder/interpreted.csv" > /dev/null
for processor in Nehalem Haswell; do
  echo "x86-64: $processor"
  export ACTIO_CACHE_DIR="$folder/cache-$processor"
  emulated=(qemu-x86_64-static -cpu "$processor")
  "${emulated[@]}" "$build/actio" run kepler --steps 50 --step 0.01 --quiet > "$folder/run.txt" 2> "$folder/notes"
  "${emulated[@]}" "$build/actio" "${ensemble[@]}" --output "$folder/$processor.csv" > "$folder/ensemble.txt" 2> "$folder/notes"
  grep -E "lanes|trajectory by" "$folder/ensemble.txt"
  "${emulated[@]}" "$build/actio" "${ensemble[@]}" --backend interpreter --output "$folder/$processor-interpreted.csv" \
    > /dev/null 2> "$folder/notes"
  cmp "$folder/$processor-interpreted.csv" "$folder/interpreted.csv"
  echo "  interpreted, $processor has the bits of this processor"
done
cmp "$folder/Haswell.csv" "$folder/here.csv"
echo "  as machine code, Haswell has the bits of this processor"
