#!/usr/bin/env bash
# Installs the Debian packages that are missing; does nothing when all are there.
#   tools/install_dependencies.sh            what building and testing needs
#   tools/install_dependencies.sh lint       what `make lint` needs
#   tools/install_dependencies.sh coverage   what `make coverage` needs
#   tools/install_dependencies.sh bench      the programs that `make bench` compares with
set -euo pipefail

core=(g++ cmake ninja-build pkg-config ccache python3 libboost-dev libmpfr-dev libgmp-dev libfmt-dev
      libtomlplusplus-dev nlohmann-json3-dev libgtest-dev)
# Machine code from models; HDF5 files and their check from Python; clang for the fuzz tests; a browser for the pages. What is missing is left out, with one clear line.
optional=(llvm-19-dev libsleef-dev libhdf5-dev python3-h5py python3-numpy clang-19 libclang-rt-19-dev
          chromium)
lint=(clang-format-19 clang-tidy-19)
coverage=(gcovr)
bench=(libsundials-dev libsleef-dev python3-scipy python3-mpmath python3-gmpy2)

missing() {
  local package
  for package in "$@"; do
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || echo "$package"
  done
}

as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  else
    sudo "$@"
  fi
}

install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

case "${1:-}" in
  "") required=("${core[@]}") ;;
  lint) required=("${lint[@]}") optional=() ;;
  coverage) required=("${coverage[@]}") optional=() ;;
  bench) required=() optional=("${bench[@]}") ;;
  *) echo "usage: $0 [lint|coverage|bench]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is not a Debian system: install the equivalents of these packages yourself:"
  echo "  ${required[*]}"
  [[ ${#optional[@]} -eq 0 ]] || echo "  optional: ${optional[*]}"
  exit 0
fi

mapfile -t required < <(missing "${required[@]}")
mapfile -t optional < <(missing "${optional[@]}")
if [[ ${#required[@]} -eq 0 && ${#optional[@]} -eq 0 ]]; then
  exit 0
fi
if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
  echo "Some packages are missing; as root, run:  apt-get install ${required[*]} ${optional[*]}" >&2
  exit $(( ${#required[@]} > 0 ))
fi

as_root apt-get update || echo "The package lists could not be refreshed; trying with those at hand." >&2
if [[ ${#required[@]} -gt 0 ]]; then
  install "${required[@]}"
fi
if [[ ${#optional[@]} -gt 0 ]] && ! install "${optional[@]}"; then
  echo "Optional packages could not be installed and are left out: ${optional[*]}" >&2
fi
