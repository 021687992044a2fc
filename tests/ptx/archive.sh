#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# archive: the library's code for one SM as a program without device LTO gets it: every entry point, with every order,
# scope and state space behind switches.
#
#   archive.sh DIRECTORY ARCHIVE SM
#
# ARCHIVE holds the bitcode for the SM. Tools besides those of common.sh: AR, CUDA_PATH.
set -eu
. "$(dirname "$0")/common.sh"

directory=$1 archive=$2 sm=$3
subject="the archive on sm_$sm"

rm -rf "$directory"
mkdir -p "$directory"
cd "$directory"
"$AR" x "$archive"
for member in *.o; do
  "$CXX" --target=nvptx64-nvidia-cuda "--cuda-path=$CUDA_PATH" -Wno-unknown-cuda-version -march="sm_$sm" -O2 -S -x ir "$member" -o "$member.ptx"
  check_qualifiers "$member.ptx" "$sm"
  check_assembly "$member.ptx" "$sm" "$member.cubin" -c
done

count=0
for entry in $(entries); do
  count=$((count + 1))
  grep -qE "^\.(visible|weak) \.func .*$entry\(" *.ptx || fail "$entry is not defined"
done
[ $count -ge 60 ] && [ $count -eq "$(declarations | wc -l)" ] || fail "understood only $count entries of arch/abi.hpp"
finish "$count entry points"
