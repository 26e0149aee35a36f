#!/usr/bin/env python3
"""The headers that users get: those that the entry headers reach by #include. Prints cmake/public_headers.cmake, which
lists them; with --check compares that file with what it should be (exit status 1 where they differ)."""

import difflib
import re
import sys
from pathlib import Path

LIBRARIES = {
    "actio": ["actio/actio.hpp"],
    "actio_problems": ["problems/problem_list.hpp", "papers/paper_reproduction.hpp"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


def reached(root, entries):
    found, waiting = set(), list(entries)
    while waiting:
        header = waiting.pop()
        if header in found:
            continue
        found.add(header)
        names = INCLUDE.findall((root / header).read_text(encoding="utf-8"))
        waiting += [name for name in names if (root / name).exists()]
    return found


def listing(root):
    lines = ["# Written by tools/public_headers.py: what is installed of each library. All other headers are insides."]
    known = set()
    for library, entries in LIBRARIES.items():
        headers = reached(root, entries) - known
        known |= headers
        lines += [f"set({library}_public_headers", *(f"  {name}" for name in sorted(headers)), ")"]
    return "\n".join(lines) + "\n"


def main():
    root = Path(__file__).resolve().parent.parent
    wanted = listing(root)
    if "--check" not in sys.argv:
        print(wanted, end="")
        return 0
    listed = (root / "cmake/public_headers.cmake").read_text(encoding="utf-8")
    if listed == wanted:
        return 0
    sys.stdout.writelines(difflib.unified_diff(listed.splitlines(True), wanted.splitlines(True), "listed", "reached"))
    print("write cmake/public_headers.cmake anew with tools/public_headers.py, or cut the include")
    return 1


if __name__ == "__main__":
    sys.exit(main())
