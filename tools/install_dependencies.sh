#!/usr/bin/env bash
# Installs the Debian packages that are missing; does nothing when all are there.
#   tools/install_dependencies.sh            what library and program need
#   tools/install_dependencies.sh test       that, and what the tests need
#   tools/install_dependencies.sh python     that, and what the Python package needs
#   tools/install_dependencies.sh core       what `make core` needs: both compilers, nothing of LLVM, HDF5 and MPFR
#   tools/install_dependencies.sh processors what `make processors` needs beside: a compiler for ARM64 and emulators
#   tools/install_dependencies.sh fuzz       what `make fuzz` needs beside
#   tools/install_dependencies.sh lint       what `make lint` needs
#   tools/install_dependencies.sh coverage   what `make coverage` needs
#   tools/install_dependencies.sh bench      the programs that `make bench` compares with
set -euo pipefail

core=(g++ make cmake ninja-build ccache libboost-dev libfmt-dev libtomlplusplus-dev nlohmann-json3-dev)
digits=(pkg-config libmpfr-dev libgmp-dev)
other_compiler=(clang-19)
# What is missing of these is left out, with one clear line for each part.
machine_code=(llvm-19-dev)
hdf5=(libhdf5-dev)
mpi=(libopenmpi-dev openmpi-bin)
test=(libgtest-dev python3)
read_elsewhere=(python3-h5py python3-numpy)
browser=(chromium)
python=(pybind11-dev python3-dev python3-numpy python3-mpmath)
python_more=(python3-matplotlib python3-sympy python3-pandas python3-xarray)
python_install=(python3-pip python3-setuptools python3-wheel python3-venv)
python_tests=(python3-pytest)
notebook_tests=(python3-nbclient python3-ipykernel python3-matplotlib python3-pandas)
processors=(g++-aarch64-linux-gnu qemu-user-static python3)
fuzz=(clang-19 libclang-rt-19-dev)
lint=(clang-format-19 clang-tidy-19 python3)
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

# What is asked for: packages without which nothing works, and optional parts as "what is lost:packages".
required=() parts=()
library_and_program() {
  required+=("${core[@]}" "${digits[@]}")
  parts+=("models as machine code:${machine_code[*]}" "trajectories as HDF5:${hdf5[*]}"
          "ensembles by several processes:${mpi[*]}")
}
python_package() {
  parts+=("the Python package:${python[*]}" "its plots, tables and SymPy models:${python_more[*]}"
          "its installation with pip:${python_install[*]}")
}
case "${1:-}" in
  "") library_and_program ;;
  python)
    library_and_program
    python_package
    ;;
  test)
    library_and_program
    required+=("${test[@]}")
    python_package
    parts+=("the check of files from Python:${read_elsewhere[*]}" "the tests of the Python package:${python_tests[*]}"
            "the tests of the notebooks:${notebook_tests[*]}" "the tests of pages in a browser:${browser[*]}")
    ;;
  core) required=("${core[@]}" "${other_compiler[@]}" "${test[@]}") ;;
  processors) required=("${processors[@]}") ;;
  fuzz) required=("${fuzz[@]}") ;;
  lint) required=("${lint[@]}") ;;
  coverage) required=("${coverage[@]}") ;;
  bench) parts=("programs to compare with:${bench[*]}") ;;
  *) echo "usage: $0 [test|python|core|processors|fuzz|lint|coverage|bench]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is not a Debian system: install the equivalents of these packages yourself:"
  [[ ${#required[@]} -eq 0 ]] || echo "  ${required[*]}"
  for part in "${parts[@]}"; do echo "  for ${part%%:*}: ${part#*:}"; done
  exit 0
fi

mapfile -t required < <(missing "${required[@]}")
lacking=()
for part in "${parts[@]}"; do
  packages=$(missing ${part#*:} | tr '\n' ' ')
  [[ -z $packages ]] || lacking+=("${part%%:*}:${packages% }")
done
if [[ ${#required[@]} -eq 0 && ${#lacking[@]} -eq 0 ]]; then
  exit 0
fi
if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
  [[ ${#required[@]} -eq 0 ]] || echo "Packages are missing; as root, run:  apt-get install ${required[*]}" >&2
  for part in "${lacking[@]}"; do echo "Left out: ${part%%:*} (apt-get install ${part#*:})" >&2; done
  exit $(( ${#required[@]} > 0 ))
fi

as_root apt-get update || echo "The package lists could not be refreshed; trying with those at hand." >&2
if [[ ${#required[@]} -gt 0 ]]; then
  install "${required[@]}"
fi
for part in "${lacking[@]}"; do
  install ${part#*:} || echo "Left out: ${part%%:*} (could not install ${part#*:})" >&2
done
