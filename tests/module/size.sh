#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# size: what importing cudax.sync costs has a bound, and no unit of it includes a header that is not the library's own.
#
#   size.sh ROOT BMIS COMMAND...
#
# One standard header in a unit makes its BMI some megabytes, and breaks programs that import first and include afterwards
# in CUDA mode. A small one shows in the list of included files alone. BMIS is the folder of a flavour, COMMAND its compiler's
# command line.
set -eu
export LC_ALL=C
root=$1 bmis=$2
shift 2
largest=400000 total_bound=3500000 # bytes: of one BMI, of all; a standard header has 5000000

total=0 failures=0
for bmi in "$bmis"/cudax.sync.pcm "$bmis"/cudax.sync-*.pcm; do
  size=$(wc -c <"$bmi")
  total=$((total + size))
  if [ "$size" -gt $largest ]; then
    echo "${bmi##*/} has $size bytes, more than $largest: does a unit include a standard header?" >&2
    failures=1
  fi
done
if [ $total -gt $total_bound ]; then
  echo "the BMIs of cudax.sync have $total bytes together, more than $total_bound" >&2
  failures=1
fi

language=c++-module
case " $* " in *" -x cuda "*) language=cuda ;; esac
units=0
for unit in $(find "$root/modules" -name '*.cppm' -not -path "$root/modules/host/*" -not -name sync_host.cppm | sort); do
  units=$((units + 1))
  included=$("$@" -Qunused-arguments -nocudainc -x $language -M "$unit") # -nocudainc: as the units are built
  # A sanitizer's list of what it leaves out is an input, too, but no header.
  others=$(echo "$included" | tr -s ' \\' '\n' | grep '^/' | grep -v "^$root/" | grep -v '\.pcm$' | grep -v '_ignorelist\.txt$' || true)
  if [ -n "$others" ]; then
    echo "${unit##*/} includes files that are not the library's:" $others >&2
    failures=1
  fi
done
[ $failures -eq 0 ] || exit 1
echo "$units units include nothing but the library's own headers; their BMIs have $total bytes"
