#!/bin/sh
# The two commands of the README. Each works alone on a fresh Debian 12 or Ubuntu 24.04, and again without needless work.
set -eu

usage() {
  cat <<'END'
usage: ./run.sh demo      build the tool, tune kernels/binary_gemm with clang 19 and then with g++, show what the next
                          normal build runs
       ./run.sh test      build everything and run the quick tests: what a change must pass
       ./run.sh test --all [--shard I/N]
                          every test, and the tool with g++; with --shard, the I-th of N parts, for several machines
       ./run.sh measure [--shard I/N]
                          searches, the kernel suite and what things cost: figures beside those of the repository
                          (tests/measure/figures.tsv), and no verdict
       ./run.sh help      this text

All install what is missing with apt-get (with sudo unless you are root), build in ./build and install into
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
  clang-19 lld-19 libclang-19-dev llvm-19-dev libclang-rt-19-dev
  nlohmann-json3-dev libfmt-dev libcli11-dev libssl-dev libcurl4-openssl-dev libisl-dev libsqlite3-dev
  zlib1g-dev libmicrohttpd-dev libjs-chart.js
  libgtest-dev libgmock-dev libbenchmark-dev bubblewrap libseccomp-dev"
# What only the tests need: packaging, the other test libraries of examples/, old CPUs, a terminal, a manual page's reader,
# shells and a browser.
testing="dpkg-dev file catch2 doctest-dev qemu-user tmux mandoc zsh fish chromium"
# Other CPUs, for the tests of cross builds (72 MB with their C libraries). The tests that need them are skipped where they
# cannot be had.
cross="g++-aarch64-linux-gnu libstdc++-12-dev-riscv64-cross binutils-riscv64-linux-gnu googletest"
# What the kernels' benchmarks compare with; they build without.
experts="libeigen3-dev libgmp-dev libopenblas-serial-dev libopencv-imgproc-dev libsimdjson-dev libyuv-dev zlib1g-dev"

# missing_packages PACKAGE…
missing_packages() {
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p')
  for package in "$@"; do
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

# install_packages PACKAGE…
install_packages() {
  command -v dpkg-query >/dev/null ||
    fail "this is neither Debian nor Ubuntu: install by your own means what these packages hold, then use the presets: $packages"
  missing=$(missing_packages "$@")
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

# build_tool TARGET: "agentic-kernel", "quick_tests", or "all" with all its tests
build_tool() {
  configure developer build
  say "building the tool, which takes minutes the first time: the share that is done and the seconds so far are in front"
  NINJA_STATUS='[%p %e s] ' cmake --build build --target "$1"
  stamp=$prefix/.installed
  # What is installed stands in these places; nothing newer there, nothing to do.
  if [ ! -f "$stamp" ] || [ -n "$(find build/bin/agentic-kernel build/libexec build/cmake_install.cmake \
    build/cmake-module cmake-module tests/red-team -newer "$stamp" -type f)" ]; then
    cmake --install build --prefix "$prefix"
    touch "$stamp"
  fi
}

# configure_kernels FOLDER C++-COMPILER SET: the kernels are a project of their own, a consumer of the installed package.
configure_kernels() {
  if [ -f "$1/build.ninja" ] && grep -qx "KERNELS_SET:STRING=$3" "$1/CMakeCache.txt"; then
    return 0
  fi
  say "configuring $1 with $2"
  cmake -G Ninja -S kernels -B "$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$2" -DCMAKE_PREFIX_PATH="$prefix" \
    -DKERNELS_SET="$3"
}

# --- commands ---------------------------------------------------------------------------------------------------------

kernel=binary_gemm

# ran FOLDER FORCED: what the dispatcher chose, by its own record, in a run of the kernel's tests
ran() {
  trace=$root/$1/chosen.txt
  rm -f "$trace"
  env "AGENTIC_KERNEL_$kernel=$2" "AGENTIC_KERNEL_TRACE=$trace" "$1/$kernel/${kernel}_test" >"$1/chosen.log" 2>&1 ||
    return $?
  sed "s/^$kernel //" "$trace"
}

# row FOLDER FORCED: one line of the table; fails if another function ran than the forced one
row() {
  if chosen=$(ran "$1" "$2"); then
    [ -z "$2" ] || [ "$chosen" = "$2" ] || fail "$kernel: '$2' was forced, but '$chosen' ran"
    time=$(env "AGENTIC_KERNEL_$kernel=$2" "$1/$kernel/${kernel}_bench" --benchmark_format=csv 2>/dev/null |
      tail -1 | cut -d, -f4,5 | tr , ' ')
    printf '  %-20s %-14s passed   %s\n' "${2:-as a user runs it}" "$chosen" "$time"
  elif [ $? = 78 ]; then
    printf '  %-20s (this CPU lacks it)\n' "$2"
  else
    cat "$1/chosen.log" >&2
    fail "$kernel's tests failed with AGENTIC_KERNEL_$kernel=$2"
  fi
}

# demo_with FOLDER C++-COMPILER FAMILY
demo_with() {
  configure_kernels "$1" "$2" quick
  say "tuning $kernel with $2: a search of 70 s, with preparing and confirming two to four minutes, five and a half at most"
  cmake -D AGENTIC_KERNEL_MAX_SECONDS=70 -D AGENTIC_KERNEL_MAX_TOTAL_SECONDS=330 "$1" >/dev/null
  cmake --build "$1" --target "optimize-$kernel"
  say "the next normal build with $2: neither the tool nor Clang takes part"
  cmake --build "$1" --target "${kernel}_test" "${kernel}_bench"
  {
    printf '\n%s, compiled by %s\n  %-20s %-14s tests    benchmark (CPU time)\n' "$kernel" "$2" forced "what ran"
    row "$1" baseline
    for variant in "kernels/$kernel/generated/$kernel".*."$3".cpp; do
      [ -f "$variant" ] || continue
      level=${variant##*/"$kernel".}
      row "$1" "${level%."$3".cpp}"
    done
    row "$1" ""
  } >"$1/demo.txt"
  cat "$1/demo.txt"
}

demo() {
  # shellcheck disable=SC2086 # a list of words
  install_packages $packages
  build_tool agentic-kernel
  demo_with build/kernels clang++-19 clang
  demo_with build/kernels-gcc g++ gcc
  say "both compilers"
  cat build/kernels/demo.txt build/kernels-gcc/demo.txt
  printf '\nThe variants are in kernels/%s/generated; review them with: git diff kernels\n' "$kernel"
}

# build_everything TARGET KERNELS-TARGET KERNELS-SET: the tool, its tests and the kernels, with whatever of their
# packages can be had
build_everything() {
  # shellcheck disable=SC2086 # lists of words
  install_packages $packages $testing
  # Not by its package's name alone: where Node.js comes from elsewhere it brings npm, and the package would be in its way.
  command -v npm >/dev/null || (install_packages npm) ||
    say "without npm: the tests that talk to other people's servers are skipped"
  # shellcheck disable=SC2086
  (install_packages $cross) || say "without some of $cross: the tests of other processors are skipped"
  # shellcheck disable=SC2086
  (install_packages $experts) || say "without some of $experts: the benchmarks then have nothing to compare with"
  build_tool "$1"
  configure_kernels build/kernels clang++-19 "$3"
  say "building the kernels"
  cmake --build build/kernels --target "$2"
}

# run_tests TARGET KERNELS-TARGET KERNELS-SET CTEST-ARGUMENT…
run_tests() {
  build_everything "$1" "$2" "$3"
  shift 3
  say "the tool's tests"
  ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
  say "the kernels' tests"
  ctest --test-dir build/kernels --output-on-failure -j "$(nproc)"
}

# The whole tool with the machine's other compiler, linked so that a name that means two things is found, and its unit
# tests.
test_with_gcc() {
  configure gcc-all build-gcc-all
  say "building the tool with g++"
  cmake --build --preset gcc-all
  ctest --preset gcc-all -j "$(nproc)"
}

measure() {
  build_everything all all all
  tests/measure/measure.sh "$root" "$root/build" "$shard_index" "$shard_count"
}

# --- arguments --------------------------------------------------------------------------------------------------------

# shard TEXT: sets shard_index and shard_count of "I/N", 1 ≤ I ≤ N
shard() {
  shard_index=${1%%/*} shard_count=${1#*/}
  case $1 in
  [1-9]*/[1-9]*) ;;
  *) shard_index=no ;;
  esac
  case $shard_index$shard_count in
  *[!0-9]*) fail "--shard '$1' is no part: write I/N, for example 2/3 for the second of three" ;;
  esac
  [ "$shard_index" -le "$shard_count" ] || fail "--shard '$1': there is no part $shard_index of $shard_count"
}

command=${1:-help}
[ $# = 0 ] || shift
target=quick_tests kernels_target=kernel_tests kernels_set=quick tier="-L quick" shard_index=1 shard_count=1
while [ $# -gt 0 ]; do
  case $command$1 in
  test--all) target=all kernels_target=all kernels_set=all tier="" ;;
  test--shard | measure--shard)
    [ $# -gt 1 ] || fail "--shard needs a part: I/N"
    shard "$2"
    shift
    ;;
  *)
    usage >&2
    fail "'$1' is no argument of '$command'"
    ;;
  esac
  shift
done

case "$command" in
demo) demo ;;
test)
  [ -z "$tier" ] || [ "$shard_count" = 1 ] || fail "--shard divides all tests: write test --all --shard $shard_index/$shard_count"
  # shellcheck disable=SC2086 # words
  run_tests "$target" "$kernels_target" "$kernels_set" $tier -I "$shard_index,,$shard_count"
  [ -n "$tier" ] || [ "$shard_index" != "$shard_count" ] || test_with_gcc
  ;;
measure) measure ;;
help | --help | -h) usage ;;
*)
  usage >&2
  fail "unknown command '$command'"
  ;;
esac
