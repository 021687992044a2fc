#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# layers: a file of tools/emulator includes files of its own layer and of the layers before it only:
# ptx, machine, instructions, check, cuda. The test first plants includes that are wrong in a copy, which must fail.
#
#   layers.sh tools/emulator
set -euo pipefail
layers=(ptx machine instructions check cuda)
declare -A rank
for i in "${!layers[@]}"; do rank[+${layers[i]}]=$i; done

# Prints each include that points to a later layer or out of the layers.
wrong_includes() {
  local root=$1 file line name folder from to path
  while IFS=: read -r file line name; do
    folder=${file#"$root"/}
    folder=${folder%%/*}
    path=${file%/*}
    while [[ $name == ../* ]]; do
      name=${name#../}
      path=${path%/*}
    done
    path=$path/$name
    path=${path#"$root"/}
    from=${rank[+$folder]-}
    to=${rank[+${path%%/*}]-}
    if [[ -z $from ]]; then
      echo "$file:$line: $folder is no layer; the layers are ${layers[*]}"
    elif [[ -z $to ]]; then
      echo "$file:$line: includes $path, which is in no layer; the layers are ${layers[*]}"
    elif ((to > from)); then
      echo "$file:$line: $folder includes $path, of the later layer ${layers[to]}; the order is ${layers[*]}"
    fi
  done < <(grep -rnE --include='*.[ch]pp' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$root" |
             sed -E 's/^([^:]*:[0-9]+):[^"]*"([^"]*)".*/\1:\2/')
}

emulator=$(realpath "$1")
[[ -d $emulator/ptx && -d $emulator/cuda ]] || { echo "layers.sh: $emulator is not tools/emulator" >&2; exit 1; }

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "${layers[@]/#/$copy/}" "$copy/instructions/support"
planted=0
plant() { # FILE INCLUDE: an include that is wrong
  echo "  #  include \"$2\" // planted" >"$copy/$1"
  [[ -n $(wrong_includes "$copy") ]] || { echo "layers.sh: does not find \"$2\" in $1" >&2; exit 1; }
  rm "$copy/$1"
  planted=$((planted + 1))
}
plant ptx/planted.cpp ../machine/thread.hpp
plant machine/planted.hpp ../check/run/run.hpp
plant machine/planted.cpp ../instructions/support/memory/memory.hpp
plant instructions/planted.cpp ../check/run/run.hpp
plant instructions/support/planted.hpp ../../check/run/run.hpp
plant check/planted.cpp ../cuda/memory_map.hpp
plant cuda/planted.cpp ../other/file.hpp
plant check/planted.hpp ../../../modules/file.hpp
plant planted.hpp ptx/parse.hpp
echo '#include "../machine/thread.hpp"' >"$copy/cuda/right.cpp"
[[ -z $(wrong_includes "$copy") ]] || { echo "layers.sh: refuses cuda that includes machine" >&2; exit 1; }

found=$(wrong_includes "$emulator")
[[ -z $found ]] || { echo "$found" >&2; exit 1; }
echo "$(grep -rhE --include='*.[ch]pp' '^#include "' "$emulator" | wc -l) includes; $planted planted ones are found"
