#!/usr/bin/env bash
# Prints docs/language.md from the tables by which models are read; a test compares the two.
#   tools/make_language_reference.sh build/actio > docs/language.md
set -euo pipefail
"$1" explain language
