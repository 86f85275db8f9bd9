#!/bin/sh
# Runs for ./run.sh measure, in a built tree: measures every figure that a README may name, beside the repository's. It
# reports and judges nothing: the status is 0 unless something could not be measured.
#   measure.sh ROOT BUILD SHARD SHARDS
# Shards take the parts in turn. What a part printed is in BUILD/measure/<part>.log, its figures in <part>.tsv (figure,
# value, unit), and those of all parts that were ever measured there in figures.tsv: a copy of that, once somebody has
# looked at it, is tests/measure/figures.tsv. About five hours on 2 cores, nearly all of it in the suites
# and the gallery.
set -eu

root=$1 build=$2 shard=$3 shards=$4
out=$build/measure
here=$root/tests/measure
tool=$build/prefix/bin/agentic-kernel
tab=$(printf '\t')
mkdir -p "$out"

# json FILE KEYS ROWS: figures of a report
json() {
  cmake "-DFILE=$1" "-DKEYS=$2" "-DROWS=$3" -P "$here/json_figures.cmake"
}

# suite NAME C++-COMPILER: the command that the table of kernels/README.md names. SET=all in the environment: every
# kernel, which takes two hours more.
suite() {
  [ -f "$out/$1/build.ninja" ] ||
    cmake -G Ninja -S "$root/kernels" -B "$out/$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$2" \
      -DCMAKE_CXX_FLAGS=-march=native -DCMAKE_PREFIX_PATH="$build/prefix" >&2 || return 1
  "$tool" suite --build-dir "$out/$1" --set "${SET:-quick}" --agent builtin --max-seconds 80 --cold --no-write \
    --json >"$out/$1.json" || return 1
  json "$out/$1.json" "geometric_mean;fast_1.5;fast_2;fast_4;median_expert_percent;fast_1.5_where_expert" \
    "speedup/ratio;speedup/low;speedup/high;candidates;seconds;expert_percent"
}

# coverage NAME C++-COMPILER: variants are written into a copy of the suite, and then each is measured again: counts how
# many of the intervals in their headers contain the new result. Short searches suffice: only the intervals count. The
# total is not three times as long, as by default, since confirming takes longer than such a search.
coverage() {
  rm -rf "$out/$1"
  mkdir -p "$out/$1"
  cp -R "$root/kernels" "$out/$1/source" || return 1
  cmake -G Ninja -S "$out/$1/source" -B "$out/$1/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$2" \
    -DCMAKE_CXX_FLAGS=-march=native -DCMAKE_PREFIX_PATH="$build/prefix" -DKERNELS_SET=quick >&2 || return 1
  # KERNEL: one of them alone, to try it
  "$tool" suite --build-dir "$out/$1/build" --agent builtin --max-seconds 20 --max-total-seconds 300 --cold \
    ${KERNEL:+--kernel "$KERNEL"} --json >"$out/$1.json" || return 1
  "$tool" verify --build-dir "$out/$1/build" ${KERNEL:+--kernel "$KERNEL"} --json >"$out/$1-later.json" ||
    [ $? = 3 ] || return 1 # 3: a variant is no longer faster, and that counts
  cmake "-DFILE=$out/$1-later.json" -P "$here/interval_coverage.cmake"
}

# configure_package PACKAGE COPY C++-COMPILER C-COMPILER
configure_package() {
  # shellcheck disable=SC2046 # words
  cmake -G Ninja -S "$2/source" -B "$2/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$3" -DCMAKE_C_COMPILER="$4" \
    -DCMAKE_PREFIX_PATH="$build/prefix" $(cat "$1/options" 2>/dev/null) >&2
}

# gallery NAME C++-COMPILER C-COMPILER: the packages of tests/real-projects, each in a copy and a build of its own. What
# cannot be downloaded is said and left out. PACKAGE: one of them alone, to try it.
gallery() {
  sources=$build/tests/real-projects/sources
  "$root/tests/real-projects/fetch.sh" "$sources" "$root"/tests/real-projects/*/package >&2 || return 1
  for package in "$root"/tests/real-projects/${PACKAGE:-*}/package; do
    package=${package%/package}
    copy=$out/$1/${package##*/}
    rm -rf "$copy"
    "$root/tests/real-projects/unpack.sh" "$package" "$sources" "$copy/source" >&2 || continue
    configure_package "$package" "$copy" "$2" "$3" || return 1
    if [ -f "$package/wrap" ]; then
      "$tool" wrap --build-dir "$copy/build" --kernel "$(cat "$package/wrap")" --write >&2 || return 1
      configure_package "$package" "$copy" "$2" "$3" || return 1
    fi
    "$tool" suite --build-dir "$copy/build" --agent builtin --max-seconds 60 --max-total-seconds 400 --cold --no-write \
      --json >"$copy.json" || [ $? = 4 ] || return 1 # 4: nothing faster was found
    json "$copy.json" "" "speedup/ratio;speedup/low;speedup/high;candidates;seconds"
  done
}

# costs PROGRAM [ARGUMENT…]: what it prints as "what it measured   value unit", and the CPU time of medians of Google
# Benchmark
costs() {
  program=$1 printed=$out/$1.txt
  shift
  cmake --build "$build" --target "$program" >&2 || return 1 # "set -e" does not act in what "if" asks
  "$build/bin/$program" "$@" >"$printed" || return 1
  cat "$printed" >&2
  awk -F '  +' -v OFS="$tab" '
    $2 !~ /^[0-9]/ || $1 ~ /_(mean|stddev|cv)$/ { next }
    {
      value = $1 ~ /_median$/ ? $3 : $2
      unit = value
      sub(/^[0-9.]+ */, "", unit)
      print $1, value + 0, unit
    }' "$printed"
}

# knowledge: the index of a checkout of more than 50,000 functions: the packages of knowledge_packages, which has lines as
# the files "package" of tests/real-projects. What cannot be downloaded is said and left out.
knowledge() {
  archives=$out/knowledge-archives code=$out/knowledge-code
  "$root/tests/real-projects/fetch.sh" "$archives" "$here/knowledge_packages" >&2 || return 1
  rm -rf "$code"
  mkdir -p "$code"
  while read -r _ archive _; do
    [ ! -f "$archives/$archive.missing" ] || continue
    mkdir "$code/$archive"
    tar -xf "$archives/$archive" -C "$code/$archive" --strip-components=1 || return 1
  done <"$here/knowledge_packages"
  costs knowledge_cost "$code"
}

part() {
  case $1 in
  suite-clang) suite suite-clang clang++-19 ;;
  suite-gcc) suite suite-gcc g++ ;;
  coverage-clang) coverage coverage-clang clang++-19 ;;
  coverage-gcc) coverage coverage-gcc g++ ;;
  gallery-clang) gallery gallery-clang clang++-19 clang-19 ;;
  gallery-gcc) gallery gallery-gcc g++ gcc ;;
  calibration)
    "$tool" calibrate --full --max-seconds 1200 --json >"$out/calibration.json" || return 1
    json "$out/calibration.json" "comparisons;false_accepts;busy_comparisons;busy_false_accepts;gains;gains_accepted" ""
    ;;
  knowledge) knowledge ;;
  *) costs "$1_cost" ;;
  esac
}

failed="" number=0
parts="suite-clang suite-gcc coverage-clang coverage-gcc gallery-clang gallery-gcc calibration kernels dispatch loop mcp report knowledge strategies farm"
for name in $parts; do
  number=$((number + 1))
  [ $((number % shards)) = $((shard % shards)) ] || continue
  echo "measuring: $name" >&2
  if part "$name" >"$out/$name.new" 2>"$out/$name.log"; then
    sed "s/^/$name: /" "$out/$name.new" >"$out/$name.tsv"
  else
    failed="$failed $name"
    tail -5 "$out/$name.log" >&2
  fi
  rm -f "$out/$name.new"
done

for name in $parts; do
  [ ! -f "$out/$name.tsv" ] || cat "$out/$name.tsv"
done >"$out/figures.tsv"
awk -F "$tab" -f "$here/compare.awk" "$here/figures.tsv" "$out/figures.tsv"
[ -z "$failed" ] || {
  echo "measure.sh: not measured:$failed; what they printed is in $out" >&2
  exit 1
}
