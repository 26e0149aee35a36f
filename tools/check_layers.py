#!/usr/bin/env python3
"""Checks that includes point down the layers only. Prints one line per offence; exit status 1 when there is any."""

import re
import sys
from pathlib import Path

# From the bottom up; layers on one line do not know each other.
ACTIO_LAYERS = [
    ["base"],
    ["tableaux", "expr", "device"],
    ["program"],
    ["backend"],
    ["mechanics"],
    ["discrete"],
    ["integrate"],
    ["simulate"],
    ["analysis"],
    ["io"],
    ["api"],
]
RANK = {name: rank for rank, names in enumerate(ACTIO_LAYERS) for name in names}
RANK["actio"] = len(ACTIO_LAYERS)  # headers directly in actio/, which gather the library
# Outside the library, which never includes them: the highest layer that each may include.
OUTSIDE = {"problems": "api", "papers": "actio", "apps": "actio"}

INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')


def layer_of(path):
    """The layer of a path relative to the root, or None where the path is neither in the library nor above it."""
    top, *rest = Path(path).parts
    if top == "actio":
        return rest[0] if len(rest) > 1 else top
    return top if top in OUTSIDE and rest else None


def may_include(upper, lower):
    if upper == lower:
        return True
    if upper in OUTSIDE:
        return RANK[lower] <= RANK[OUTSIDE[upper]] if lower in RANK else upper != "problems"
    return lower in RANK and RANK[lower] < RANK[upper]


def offences(root):
    files = (file for top in ("actio", *OUTSIDE) for file in (root / top).rglob("*.[ch]pp"))
    for file in sorted(files):
        name = file.relative_to(root)
        upper = layer_of(name)
        if upper not in RANK and upper not in OUTSIDE:
            yield f"{name}:1: {upper} is not a layer"
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            beside = (file.parent / match[1]).resolve()
            lower = layer_of(beside.relative_to(root) if beside.is_relative_to(root) and beside.exists() else match[1])
            if lower and not may_include(upper, lower):
                yield f"{name}:{number}: layer {upper} must not include layer {lower}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    found = list(offences(root))
    for offence in found:
        print(offence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
