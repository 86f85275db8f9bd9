#!/bin/sh
# fetch.sh FOLDER FILE…: downloads the source packages that the files "package" name into FOLDER. Each such file has one
# line: package=version, the name of the upstream archive, its sha256. The archive outlives Debian's own revisions, so
# any revision will do once the pinned one is gone. The machine's own lists are read and left alone: the lists of
# sources, which a machine seldom has, go into FOLDER. What could not be had is said in FOLDER/<archive>.missing, and the
# status is 0: a test that needs it is skipped with that reason.
set -eu

folder=$1
shift
mkdir -p "$folder/lists/partial" "$folder/archives/partial"
cd "$folder"

matches() { # ARCHIVE SHA256
  [ -f "$1" ] && echo "$2  $1" | sha256sum --check --status
}

# Every entry "deb" of the machine as "deb-src", once in each of the two formats.
sources() {
  : >sources.list
  : >deb822.sources
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >>sources.list
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$file" ] || { sed 's/^Types:.*/Types: deb-src/' "$file" && echo; } >>deb822.sources
  done
}

apt() {
  list=$1
  shift
  apt-get -qq -o Dir::Etc::sourceparts=- -o "Dir::Etc::sourcelist=$folder/$list" -o "Dir::State::lists=$folder/lists" \
    -o "Dir::Cache::archives=$folder/archives" -o APT::Get::List-Cleanup=false -o APT::Sandbox::User=root \
    -o Acquire::Retries=0 -o Acquire::http::Timeout=30 "$@"
}

updated=
for file in "$@"; do
  while read -r package archive sha256; do
    rm -f "$archive.missing"
    matches "$archive" "$sha256" && continue
    if ! command -v apt-get >/dev/null; then
      echo "there is no apt-get" >"$archive.missing"
      continue
    fi
    if [ -z "$updated" ]; then
      sources
      apt sources.list update >update.log 2>&1 || true
      apt deb822.sources update >>update.log 2>&1 || true
      updated=yes
    fi
    for list in deb822.sources sources.list; do
      for wanted in "$package" "${package%%=*}"; do
        matches "$archive" "$sha256" || apt "$list" source --download-only --tar-only "$wanted" >>update.log 2>&1 || true
      done
    done
    matches "$archive" "$sha256" ||
      echo "apt-get source $package did not bring $archive with sha256 $sha256: $folder/update.log" >"$archive.missing"
  done <"$file"
done
cat ./*.missing 2>/dev/null || true
