#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sass: the machine code of sass.cu, one FileCheck for each kernel. The PTX goes through the tools of the device link,
# so this is the code that programs contain.
#
#   sass.sh DIRECTORY SOURCE SM PTX
#
# Tools beside those of common.sh: NVDISASM, TOOLS (the folder of the tools of the device link).
set -eu
. "$(dirname "$0")/common.sh"

directory=$1 source=$2 sm=$3 ptx=$4
subject="$(basename "$source") on sm_$sm"

rm -rf "$directory"
mkdir -p "$directory"
PTXAS=$TOOLS/ptxas
check_assembly "$ptx" "$sm" "$directory/whole.cubin" -c
"$TOOLS/nvlink" -arch "sm_$sm" "$directory/whole.cubin" -o "$directory/image"
"$NVDISASM" -c "$directory/image" | awk -v directory="$directory" '
  /^\.text\..*__.*:$/ { name = $1; sub(/^\.text\./, "", name); sub(/__.*/, "", name) }
  name { print > (directory "/" name ".sass") }
'
count=0
for kernel in $(sed -n 's/^KERNEL(\([a-z_]*\)).*/\1/p' "$source"); do
  count=$((count + 1))
  "$FILECHECK" "$source" --input-file="$directory/$kernel.sass" --check-prefix="$kernel" --dump-input-context=15 \
    --implicit-check-not='CALL' || fail "$kernel is not as the comments say"
done
finish "$count kernels"
