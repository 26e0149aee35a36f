#!/usr/bin/env python3
"""Checks that includes point down the layers only. Prints one line per offence; exit status 1 when there is any."""

import re
import sys
from pathlib import Path

# From the bottom up; layers on one line do not know each other.
ACTIO_LAYERS = [
    ["base"],
    ["tableaux", "expr"],
    ["program"],
    ["backend"],
    ["mechanics"],
    ["discrete"],
    ["integrate"],
    ["simulate"],
    ["analysis"],
    ["io"],
]
RANK = {name: rank for rank, names in enumerate(ACTIO_LAYERS) for name in names}
RANK["problems"] = RANK["analysis"] + 0.5  # sees everything up to analysis
UNBOUND = ["papers", "apps"]  # may include everything below; nothing below may include them
RANK |= {name: len(ACTIO_LAYERS) for name in UNBOUND}

INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')


def layer_of(path):
    """The layer that a path relative to the root belongs to, or None when it belongs to none."""
    parts = Path(path).parts
    if len(parts) > 2 and parts[0] == "actio":
        return parts[1]
    return parts[0] if len(parts) > 1 and parts[0] in RANK else None


def may_include(upper, lower):
    return upper == lower or upper in UNBOUND or RANK[lower] < RANK[upper]


def offences(root):
    files = (f for top in ("actio", "problems", *UNBOUND) for f in (root / top).rglob("*") if f.suffix in (".hpp", ".cpp"))
    for file in sorted(files):
        name = file.relative_to(root)
        upper = layer_of(name)
        if upper not in RANK:
            yield f"{name}:1: {upper or name.parent} is not a layer"
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            beside = (file.parent / match[1]).resolve()
            lower = layer_of(beside.relative_to(root) if beside.is_relative_to(root) and beside.exists() else match[1])
            if lower and (lower not in RANK or not may_include(upper, lower)):
                yield f"{name}:{number}: layer {upper} must not include layer {lower}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    found = list(offences(root))
    for offence in found:
        print(offence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
