#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# tidy: runtime/ passes the checks of .clang-tidy, with the options that it is built with.
#
#   tidy.sh CLANG_TIDY ROOT BUILD
#
# BUILD holds compile_commands.json. A planted null pointer of the old kind must be found: a configuration that checks
# nothing would pass, too.
set -euo pipefail

clang_tidy=$1 root=$2 build=$3
cd "$root"
planted=$(mktemp --suffix=.cpp)
trap 'rm -f "$planted"' EXIT
echo 'int* planted() { return 0; }' >"$planted"
if "$clang_tidy" --quiet "--config-file=$root/.clang-tidy" "$planted" -- -std=c++20 >/dev/null 2>&1; then
  echo "the configuration $root/.clang-tidy does not report 'return 0' as a pointer" >&2
  exit 1
fi
files=(runtime/*/*.cpp)
printf '%s\0' "${files[@]}" | xargs -0 "$clang_tidy" --quiet -p "$build"
echo "${#files[@]} files"
