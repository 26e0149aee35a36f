#!/usr/bin/env bash
# The core on an emulated ARM64 beside the program of this machine: tests/processors/run_core.sh HERE THERE. Both
# interpret models; elementary functions are those of their C libraries, so that ends agree to rounding, not to the bit.
set -euo pipefail
here=$1 there=$2
emulated=(qemu-aarch64-static -L /usr/aarch64-linux-gnu "$there")

# compare PRECISION TOLERANCE MODEL...
compare() {
  local precision=$1 tolerance=$2 model
  local run=(--steps 100 --step 0.01 --backend interpreter --precision "$precision" --json --quiet)
  for model in "${@:3}"; do
    python3 - "$model, $precision" "$tolerance" "$("$here" run "$model" "${run[@]}")" \
      "$("${emulated[@]}" run "$model" "${run[@]}")" <<'PY'
import json, sys
from decimal import Decimal
name, tolerance, here, there = sys.argv[1], Decimal(sys.argv[2]), *map(json.loads, sys.argv[3:])
worst = Decimal(0)
for part in ("position", "momentum"):
    for key, value in here[part].items():
        value = Decimal(value)
        worst = max(worst, abs(value - Decimal(there[part][key])) / max(1, abs(value)))
print(f"  {name:<28} ends differ by {float(worst):.1e}")
sys.exit(not worst <= tolerance or there["status"] != here["status"])
PY
  done
}
compare double 1e-11 kepler double-pendulum lagrange-top henon-heiles spherical-pendulum
compare quad 1e-31 kepler double-pendulum

"${emulated[@]}" ensemble pendulum --sweep q=0.1:1:9 --method gauss-4 --steps 20 --step 0.05 --quiet | grep -E "done|failed"
{ "${emulated[@]}" run kepler --steps 1 --precision 50 || true; } 2>&1 | grep "no MPFR"
