#!/bin/sh
# Builds for aarch64, and tests under qemu-user, the code that runs in processes with kernels or asks for CPUs. Prints
# SKIPPED with the reason where that cannot be done.
set -eu
cd "$(dirname "$0")/../.."

made=$(tests/aarch64/machine.sh build-aarch64/machine)
if [ -n "$made" ]; then
  echo "$made"
  exit 0
fi
cmake --preset aarch64
cmake --build --preset aarch64-quick
ctest --preset aarch64-quick -j "$(nproc)"
