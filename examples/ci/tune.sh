#!/bin/sh
# Searches for faster variants of every kernel, SECONDS long each (with preparing and confirming three times that at most),
# and commits what it finds to BRANCH, with the table of verify as the message's body and in BUILD/verify.md. Run it on the
# CPU that you ship for, with nothing beside it.
# usage: tune.sh SOURCE BUILD SECONDS BRANCH [option of cmake…]; exit status 4 if nothing faster was found
set -eu
source=$1 build=$2 seconds=$3 branch=$4
shift 4
if [ -n "$(git -C "$source" status --porcelain)" ]; then
  echo "tune.sh: $source has changes that are not committed: they would end up in the commit" >&2
  exit 1
fi
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
if [ -n "$(git -C "$source" status --porcelain)" ]; then
  echo "tune.sh: choose a build folder outside of $source, or one that git ignores: $build would be committed" >&2
  exit 1
fi
status=0
agentic-kernel optimize --build-dir "$build" --max-seconds "$seconds" || status=$?
if [ "$status" != 0 ] && [ "$status" != 4 ]; then
  exit "$status"
fi
if [ -z "$(git -C "$source" status --porcelain)" ]; then
  echo "nothing faster was found"
  exit 4
fi
cmake "$build" # finds the new variants
agentic-kernel verify --build-dir "$build" --markdown "$build/verify.md"
git -C "$source" switch --create "$branch"
git -C "$source" add --all
{
  printf 'Tune the kernels\n\n'
  cat "$build/verify.md"
} | git -C "$source" commit --quiet --file -
