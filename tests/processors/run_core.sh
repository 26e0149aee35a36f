#!/usr/bin/env bash
# The core on an emulated ARM64 beside the program of this machine: tests/processors/run_core.sh HERE THERE. Both
# interpret models; elementary functions are those of their C libraries, so that ends agree to rounding, not to the bit.
set -euo pipefail
here=$1 there=$2
run() { "${@:2}" run "$1" --steps 100 --step 0.01 --backend interpreter --json --quiet; }
for model in kepler double-pendulum lagrange-top henon-heiles spherical-pendulum; do
  python3 - "$model" "$(run "$model" "$here")" "$(run "$model" qemu-aarch64-static "$there")" <<'PY'
import json, sys
name, here, there = sys.argv[1], *map(json.loads, sys.argv[2:])
worst = 0.0
for part in ("position", "momentum"):
    for key, value in here[part].items():
        worst = max(worst, abs(value - there[part][key]) / max(1.0, abs(value)))
print(f"  {name:<20} ends differ by {worst:.1e}")
sys.exit(worst > 1e-11 or there["status"] != here["status"])
PY
done
qemu-aarch64-static "$there" verify midpoint --quiet
qemu-aarch64-static "$there" ensemble pendulum --sweep q=0.1:1:9 --steps 20 --quiet
