#!/usr/bin/env bash
# Prints docs/reference.md from what the program says about itself; a test compares the two.
#   tools/make_reference.sh build/actio > docs/reference.md
set -euo pipefail
program=$1

block() {
  printf '\n## `actio %s`\n\n```\n' "$*"
  "$program" "$@"
  printf '```\n'
}

echo "# Reference"
echo
echo "Made by \`tools/make_reference.sh\` from the catalogues of methods, problems and options."
block --help
for command in run compare ensemble join exact check verify reproduce show; do block "$command" --help; done
block methods
block problems
