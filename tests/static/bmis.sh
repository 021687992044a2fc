#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bmis: builds the BMIs of the interface units for one flavour in a new folder.
#
#   bmis.sh DIRECTORY ROOT 'UNIT...' COMPILER ARGUMENT...
#
# COMPILER and its ARGUMENTs come without input and output; the UNITs are in dependency order.
set -eu
directory=$1 root=$2 units=$3
shift 3
rm -rf "$directory"
mkdir -p "$directory"
for unit in $units; do
  source=$root/modules/$unit.cppm
  name=$(sed -n 's/^export module \([a-z_.:]*\);.*/\1/p' "$source" | tr : -)
  "$@" "-fprebuilt-module-path=$directory" "$source" -o "$directory/$name.pcm"
done
: >"$directory/complete"
