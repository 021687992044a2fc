#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# round_trip: all PTX of this build is parsed, printed, parsed and printed again without a change, and ptxas accepts the
# printed text. For texts over a megabyte ptxas would take minutes, so they are only parsed and printed.
#
#   round_trip.sh ROUND_TRIP EXTRACT PTXAS FOLDER PTX_FOLDER PROGRAM...
set -euo pipefail
round_trip=$1 extract=$2 ptxas=$3 folder=$4 ptx_folder=$5
shift 5
rm -rf "$folder"
mkdir -p "$folder/programs" "$folder/printed"
for program in "$@"; do "$extract" "$program" "$folder/programs" >/dev/null; done

mapfile -t files < <(find "$ptx_folder" "$folder/programs" -maxdepth 1 -name '*.sm_*.ptx')
[ ${#files[@]} -ge 40 ] || { echo "found only ${#files[@]} files of PTX in $ptx_folder and programs" >&2; exit 1; }
"$round_trip" --write "$folder/printed" "${files[@]}" | tail -1

accept() { # the file name contains the SM with its suffix, as in sm_90a
  local sm=${1##*.sm_}
  "$ptxas" -O0 -arch="sm_${sm%.ptx}" "$1" -o "$1.cubin" || { echo "ptxas rejects $1" >&2; return 1; }
  rm "$1.cubin"
}
export -f accept
export ptxas
find "$folder/printed" -name '*.ptx' -size -1024k -print0 | xargs -0 -n 1 -P 2 bash -c 'accept "$0"'
echo "${#files[@]} files, $(find "$folder/printed" -name '*.ptx' -size -1024k | wc -l) of them accepted by ptxas"
rm -rf "$folder"
