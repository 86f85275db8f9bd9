#!/bin/sh
# The build that your users make: without agentic-kernel and without Clang. With AGENTIC_KERNEL_MODE=REQUIRE a stale
# variant fails here instead of turning into a slower release. ctest runs each variant's forced test, too.
# usage: consumer.sh SOURCE BUILD [option of cmake…]
set -eu
source=$1 build=$2
shift 2
cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DAGENTIC_KERNEL_TOOL= -DAGENTIC_KERNEL_MODE=REQUIRE "$@"
cmake --build "$build"
ctest --test-dir "$build" --output-on-failure
