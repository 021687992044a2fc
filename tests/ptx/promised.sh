#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# promised: what CUDAX_NO_AUTOMATIC_ATOMICS makes of each operation of promised.cu.
#
#   promised.sh DIRECTORY SOURCE SM PTX CHECKED-PTX
set -eu
. "$(dirname "$0")/common.sh"

directory=$1 source=$2 sm=$3 ptx=$4 checked=$5
subject="promised.cu on sm_$sm"

# kernels PTX [TEXT]: the names of the kernels, or of those that contain the text
kernels() {
  awk -v text="${2-}" '
    /\.entry / { name = $3; sub(/\(.*/, "", name); if (text == "") print name }
    text != "" && index($0, text) && name { print name; name = "" }' "$1" | sort
}
rm -rf "$directory"
mkdir -p "$directory"
sed -n 's/^KERNEL(\([a-z0-9_]*\)).*/\1/p' "$source" | sort >"$directory/all"
for each in "$ptx" "$checked"; do
  kernels "$each" | diff "$directory/all" - >&2 || fail "$each does not have the kernels of $source"
done
kernels "$ptx" isspacep.local >"$directory/query"
[ ! -s "$directory/query" ] || fail "in spite of the promise, these query local memory:" $(cat "$directory/query")
kernels "$checked" isspacep.local | diff "$directory/all" - >&2 || fail "in a checked build, these do not query local memory"
# A PTX module has the sentence as the numbers of its characters.
sentence=$(printf '%s' 'CUDAX_NO_AUTOMATIC_ATOMICS promises that none is' | od -An -v -tu1 | tr -s ' \n' '  ' | sed 's/^ //; s/ $//; s/ /, /g')
grep -qF "$sentence" "$checked" || fail "a checked build does not say which promise is broken"
check_assembly "$ptx" "$sm" "$directory/cubin"
finish "$(wc -l <"$directory/all") kernels"
