#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# size: the BMIs of cudax.sync have a bounded size, and no unit includes a header from outside the library.
#
#   size.sh ROOT BMIS COMMAND...
#
# One standard header in a unit adds some megabytes to its BMI, and breaks programs in CUDA mode that import first and
# include afterwards. A small header shows only in the list of included files. BMIS is the folder of a flavour, COMMAND
# its compiler's command line.
set -eu
export LC_ALL=C
root=$1 bmis=$2
shift 2
largest=400000 total_bound=4500000 # bytes of one BMI and of all; a standard header takes 5000000

total=0 failures=0
for bmi in "$bmis"/cudax.sync.pcm "$bmis"/cudax.sync-*.pcm; do
  size=$(wc -c <"$bmi")
  total=$((total + size))
  if [ "$size" -gt $largest ]; then
    echo "${bmi##*/} has $size bytes, more than $largest: check whether a unit includes a standard header" >&2
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
  # The ignore list of a sanitizer is an input of the compiler, too, but not a header.
  others=$(echo "$included" | tr -s ' \\' '\n' | grep '^/' | grep -v "^$root/" | grep -v '\.pcm$' | grep -v '_ignorelist\.txt$' || true)
  if [ -n "$others" ]; then
    echo "${unit##*/} includes files from outside the library:" $others >&2
    failures=1
  fi
done
[ $failures -eq 0 ] || exit 1
echo "$units units include only headers of the library; their BMIs have $total bytes"
