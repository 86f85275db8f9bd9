#!/bin/sh
# unpack.sh PACKAGE SOURCES TARGET: lays a package of this folder out in TARGET as a newcomer would have it: Debian's
# source (SOURCES/<archive>, from fetch.sh) with our files and our patch.
set -eu

package=$1 sources=$2 target=$3
read -r _ archive _ <"$package/package"
mkdir -p "$target"
cp -R "$package"/. "$target"
tar -xf "$sources/$archive" -C "$target" --strip-components=1 --skip-old-files
patch -s -p1 -d "$target" <"$package/${package##*/}.patch"
