#!/bin/sh
# machine.sh FOLDER: an aarch64 machine to build and test for, as the preset aarch64 does; no root, nothing is installed.
#   FOLDER/root  the arm64 packages that the tool needs, from where this machine's apt gets its own; qemu-user's -L
#   FOLDER/bin   compilers and binutils for aarch64, by the names that they have on such a machine
# Made once, of 230 MB of packages. Prints SKIPPED with the reason where it cannot be made.
set -eu

packages="libclang-19-dev llvm-19-dev clang-19 nlohmann-json3-dev libfmt-dev libcli11-dev libssl-dev libcurl4-openssl-dev
  libisl-dev libsqlite3-dev zlib1g-dev libmicrohttpd-dev libjs-chart.js libseccomp-dev libgtest-dev libgmock-dev libbenchmark-dev"

skip() {
  echo "SKIPPED: no aarch64 machine: $1"
  exit 0
}

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
root=$folder/root bin=$folder/bin apt=$folder/apt stamp=$folder/.made
inputs=$(cat "$0" "$here/start_emulated.c" | cksum)
[ "$(cat "$stamp" 2>/dev/null)" != "$inputs" ] || exit 0

for program in aarch64-linux-gnu-g++ qemu-aarch64 clang++-19 apt-get dpkg-deb; do
  command -v "$program" >/dev/null || skip "$program is missing: install g++-aarch64-linux-gnu, qemu-user and clang-19"
done

# With a state of its own, apt knows nothing of this machine but its package sources.
rm -rf "$root" "$bin" "$apt"
mkdir -p "$root" "$bin" "$apt/state/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status"
arm_apt() {
  apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" \
    -o Dir::State="$apt/state" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
    --no-install-recommends "$@" >"$apt/log" 2>&1
}
arm_apt update || skip "this machine's sources have no packages for arm64: $(tail -1 "$apt/log")"
# shellcheck disable=SC2086 # a list of words
arm_apt install --download-only $packages || skip "not all arm64 packages can be had: $(tail -1 "$apt/log")"

for package in "$apt"/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" |
    tar -x -C "$root" --exclude='./usr/share/doc' --exclude='./usr/share/man' --exclude='./usr/share/locale'
done
rm -rf "$apt"
# The tool links the shared libraries; LLVM's CMake files only test that the others exist.
find "$root/usr/lib/llvm-19/lib" -name '*.a' -exec truncate -s 0 {} +
# Links into the former / now lead into the folder.
find "$root" -type l -lname '/*' | while read -r link; do
  ln -sfn "$root$(readlink "$link")" "$link"
done

aarch64-linux-gnu-gcc -Wall -Wextra -Werror -O2 -shared -fPIC -fvisibility=hidden -DSELF='"/usr/lib/start_emulated.so"' \
  -DQEMU="\"$(command -v qemu-aarch64)\"" -DROOT="\"$root\"" "$here/start_emulated.c" -o "$root/usr/lib/start_emulated.so"

# wrapper NAME COMMAND…
wrapper() {
  name=$1
  shift
  printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$bin/$name"
  chmod +x "$bin/$name"
}
for name in gcc g++; do
  wrapper "$name" "$(command -v "aarch64-linux-gnu-$name") --sysroot=$root"
done
for name in clang-19 clang++-19; do
  wrapper "$name" "$(command -v "$name") --target=aarch64-linux-gnu --sysroot=$root"
done
for name in as ld ar nm objcopy objdump readelf size strip; do
  ln -sfn "$(command -v "aarch64-linux-gnu-$name")" "$bin/$name"
done
ln -s gcc "$bin/cc"
ln -s g++ "$bin/c++"
echo "$inputs" >"$stamp"
