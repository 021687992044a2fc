#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# layers: the units keep to the rooms that modules/README.md lists.
#
#   layers.sh ROOT DIRECTORY
#
# An error is
#   - a unit that imports a unit of its own room that is later in modules/files.cmake, or one of a room that its own may not import;
#   - arch/abi.hpp included outside of modules/machine/device/;
#   - CUDAX_ON_DEVICE or CUDAX_HERE in a file that the third table of modules/README.md does not list;
#   - a unit that is not in modules/files.cmake, a room that is not in the README, and a line in one of its tables
#     that nothing needs.
# Then it plants one violation of each kind in a copy, in DIRECTORY, and fails where one of them is not found.
set -eu
export LC_ALL=C
root=$1 directory=$2

# check ROOT: prints the violations, one a line
check() {
  (
    cd "$1/modules"
    # order UNIT: in the order of files.cmake
    sed -n '/^set(CUDAX_SYNC_UNITS/,/)/p' files.cmake | sed 's/^set(CUDAX_SYNC_UNITS//' | tr -d ')' | tr -s ' ' '\n' |
      sed -n '/./s/^/order /p'
    # may ROOM ROOM: | `copy/` | what it holds | `base` `machine` |
    sed -n 's/^| `\([a-z]*\)\/` |[^|]*|\([^|]*\)|$/\1 \2/p' README.md | tr -d '`,' |
      while read -r room allowed; do for other in "$room" $allowed; do echo "may $room $other"; done; done
    # asks FILE: | `wait/wait.cppm` | why |
    sed -n 's/^| `\([a-z_*\/]*\.[a-z]*\)` |[^|]*|$/asks \1/p' README.md
    # include/ holds headers for programs, which import the modules as programs do.
    find . -path ./include -prune -o \( -name '*.cppm' -o -name '*.hpp' \) -print | sed 's/^\.\///' | sort | while read -r file; do
      case $file in *.cppm) echo "unit ${file%.cppm} $(sed -n 's/^export module \([a-z_.:]*\);.*/\1/p' "$file")" ;; esac
      sed -n 's/^\(export \)\{0,1\}import \([a-z_.:]*\);.*/\2/p' "$file" | sed "s|^|import ${file%.cppm} |"
      grep -q '^ *# *include .*arch/abi\.hpp' "$file" && echo "includes $file"
      # Comments may name the macros.
      sed 's/\/\/.*//' "$file" | grep -q 'CUDAX_ON_DEVICE\|CUDAX_HERE' && echo "tests $file"
      :
    done
  ) | awk '
    function room(unit) { return unit ~ /\// ? substr(unit, 1, index(unit, "/") - 1) : "" }
    function complain(what) { print what }
    $1 == "order" { place[$2] = ++places; next }
    $1 == "may" { may[$2, $3] = 1; listed[$2] = 1; next }
    $1 == "asks" { asks[$2] = 0; next }
    $1 == "unit" { unit_of[$3] = $2; module[$2] = $3; sub(/:.*/, "", module[$2]); units[++count] = $2; next }
    $1 == "import" { imports++; importer[imports] = $2; imported[imports] = $3; next }
    $1 == "includes" { if ($2 !~ /^machine\/device\//) complain($2 " includes arch/abi.hpp; only modules/machine/device does"); next }
    $1 == "tests" {
      pattern = $2; sub(/[^\/]*$/, "*.cppm", pattern)
      if ($2 in asks) asks[$2]++
      else if (pattern in asks) asks[pattern]++
      else complain($2 " tests the side (CUDAX_ON_DEVICE); list it in modules/README.md with its reason, or call modules/machine/device")
    }
    END {
      if (places < 40 || imports < 150) complain("found only " places + 0 " units and " imports + 0 " imports: what is read here has changed its form")
      for (i = 1; i <= count; i++) {
        u = units[i]; rooms[room(u)] = 1
        if (!(u in place)) complain(u " is not in modules/files.cmake")
      }
      for (r in rooms) if (r != "" && !(r in listed)) complain("the room " r " is not in the table of modules/README.md")
      for (r in listed) if (!(r in rooms)) complain("modules/README.md lists the room " r ", which has no unit")
      for (f in asks) if (!asks[f]) complain("modules/README.md lists " f ", which does not test the side")
      for (i = 1; i <= imports; i++) {
        from = importer[i]; name = imported[i]
        if (name ~ /^:/) name = module[from] name
        if (!(name in unit_of)) { complain(from " imports " name ", which no unit is"); continue }
        to = unit_of[name]; a = room(from); b = room(to)
        if ((from in place) && (to in place) && place[to] >= place[from]) complain(from " imports " to ", which is later in modules/files.cmake")
        used[a, b != "" ? b : to] = used[a, a] = 1
        if (a != "" && a != b && !((a, b != "" ? b : to) in may))
          complain(from " imports " to ": the room " a " may not import " (b != "" ? "the room " b : "it"))
      }
      for (pair in may) if (!(pair in used)) {
        split(pair, part, SUBSEP)
        if (part[1] != part[2]) complain("modules/README.md lets the room " part[1] " import " part[2] ", which no unit does")
      }
    }
  '
}

found=$(check "$root")
if [ "$found" ]; then
  echo "$found" >&2
  exit 1
fi

# --- the test finds what it is for ---------------------------------------------------------------------------------------

# plant SENTENCE FILE SED: the change to FILE is found, and the message holds SENTENCE
plant() {
  rm -rf "$directory/modules"
  cp -R "$root/modules" "$directory/"
  sed "$3" "$root/modules/$2" >"$directory/modules/$2"
  if cmp -s "$root/modules/$2" "$directory/modules/$2"; then
    echo "layers: the change that should violate '$1' does not change $2" >&2
    exit 1
  fi
  if ! check "$directory" | grep -q "$1"; then
    echo "layers: a violation was not found: '$1' in $2" >&2
    exit 1
  fi
}
mkdir -p "$directory"
plant 'atomic/fence imports thread/mutex: the room atomic may not' atomic/fence.cppm 's/^import :machine;/&\
import :mutex;/'
plant 'wait/back_off imports wait/wait, which is later' wait/back_off.cppm 's/^import :bits;/&\
import :wait;/'
plant 'copy/copy_ways.cppm includes arch/abi.hpp' copy/copy_ways.cppm 's/^module;/&\
#include "..\/..\/arch\/abi.hpp"/'
plant 'thread/latch.cppm tests the side' thread/latch.cppm 's/^CUDAX_EVERYWHERE_END/#if CUDAX_ON_DEVICE\
#endif\
&/'
plant 'wait/wait imports cudax.sync:no_such' wait/wait.cppm 's/^import :scope;/import :no_such;/'
plant 'copy/copy_ways is not in modules/files.cmake' files.cmake 's/copy\/copy_ways//'
plant 'the room grid is not in the table' README.md '/^| `grid\/`/d'
plant 'lists atomic/fence.cppm, which does not test' README.md 's/^| `wait\/wait.cppm`/| `atomic\/fence.cppm` | nothing |\
&/'
plant 'lets the room base import grid' README.md 's/^\(| `base\/`.*|\) *|$/\1 `grid` |/'
rm -rf "$directory/modules"
echo "the units keep to their rooms; 9 planted violations were found"
