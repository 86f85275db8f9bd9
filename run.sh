#!/bin/sh
# The two commands of the README. Each works alone on a fresh Debian 12 or Ubuntu 24.04, and again without needless work.
set -eu

usage() {
  cat <<'END'
usage: ./run.sh demo   build the tool, tune kernels/binary_gemm with clang 19 and then with g++, show what the next
                       normal build runs (about 8 minutes, most of them measuring)
       ./run.sh test   build everything and run every test
       ./run.sh help   this text

Both install what is missing with apt-get (with sudo unless you are root), build in ./build and install into
./build/prefix. Nothing else on the machine is changed.
END
}

root=$(cd "$(dirname "$0")" && pwd)
prefix=$root/build/prefix
cd "$root"

say() { printf '\n== %s\n' "$*"; }
fail() {
  printf 'run.sh: %s\n' "$1" >&2
  exit 1
}

# --- packages ---------------------------------------------------------------------------------------------------------

packages="cmake ninja-build g++ binutils git ca-certificates
  clang-19 libclang-19-dev llvm-19-dev libclang-rt-19-dev
  nlohmann-json3-dev libfmt-dev libcli11-dev libssl-dev libcurl4-openssl-dev libisl-dev
  libgtest-dev libgmock-dev libbenchmark-dev bubblewrap libseccomp-dev"

missing_packages() {
  # shellcheck disable=SC2086 # a list of words
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $packages 2>/dev/null | sed -n 's/ installed$//p')
  for package in $packages; do
    printf '%s\n' "$installed" | grep -qxF "$package" || printf '%s ' "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "'$*' needs root, and there is no sudo: run it as root, then this again"
  fi
}

install_packages() {
  command -v dpkg-query >/dev/null ||
    fail "this is neither Debian nor Ubuntu: install by your own means what these packages hold, then use the presets: $packages"
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  say "installing $missing"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q update
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qy --no-install-recommends install $missing
}

# --- building ---------------------------------------------------------------------------------------------------------

# configure PRESET FOLDER: Ninja repeats a changed configure by itself; only a changed preset needs us.
configure() {
  stamp=$2/.configured
  if [ -f "$2/build.ninja" ] && [ -f "$stamp" ] && [ -z "$(find CMakePresets.json -newer "$stamp")" ]; then
    return 0
  fi
  say "configuring $2 ($1)"
  if command -v ccache >/dev/null; then
    cmake --preset "$1" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  else
    cmake --preset "$1"
  fi
  touch "$stamp"
}

build_tool() {
  configure developer build
  say "building the tool"
  cmake --build build
  stamp=$prefix/.installed
  # What is installed stands in these places; nothing newer there, nothing to do.
  if [ ! -f "$stamp" ] || [ -n "$(find build/bin/agentic-kernel build/cmake_install.cmake build/cmake-module \
    cmake-module -newer "$stamp" -type f)" ]; then
    cmake --install build --prefix "$prefix"
    touch "$stamp"
  fi
}

# configure_kernels FOLDER C++-COMPILER: the kernels are a project of their own, a consumer of the installed package.
configure_kernels() {
  [ -f "$1/build.ninja" ] && return 0
  say "configuring $1 with $2"
  cmake -G Ninja -S kernels -B "$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$2" -DCMAKE_PREFIX_PATH="$prefix"
}

# --- commands ---------------------------------------------------------------------------------------------------------

# demo_with FOLDER C++-COMPILER
demo_with() {
  configure_kernels "$1" "$2"
  say "tuning binary_gemm with $2"
  cmake --build "$1" --target optimize-binary_gemm
  say "a normal build with $2: no agent, no Clang"
  cmake --build "$1"
  ctest --test-dir "$1" --output-on-failure -R binary_gemm
  bench=$(find "$1" -name binary_gemm_bench -type f)
  say "the benchmark, baseline forced, then what the dispatcher picks ($2)"
  AGENTIC_KERNEL_binary_gemm=baseline "$bench" 2>/dev/null
  "$bench" 2>/dev/null
  "$prefix/bin/agentic-kernel" status --build-dir "$1"
}

demo() {
  install_packages
  build_tool
  demo_with build/kernels clang++-19
  demo_with build/kernels-gcc g++
}

run_tests() {
  install_packages
  build_tool
  configure_kernels build/kernels clang++-19
  say "building the kernels"
  cmake --build build/kernels
  say "the tool's tests"
  ctest --test-dir build --output-on-failure
  say "the kernels' tests"
  ctest --test-dir build/kernels --output-on-failure
}

case "${1:-help}" in
demo) demo ;;
test) run_tests ;;
help | --help | -h) usage ;;
*)
  usage >&2
  fail "unknown command '$1'"
  ;;
esac
