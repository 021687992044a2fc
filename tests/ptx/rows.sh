#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# rows: the tables of arch/README.md agree with the rows of arch/operations.def and arch/generations.def, and each row that
# a docstring of modules/ cites as "(arch/README, row fetch_add)" exists.
#
#   rows.sh
set -euo pipefail
. "$(dirname "$0")/common.sh"

subject="the rows of arch/README.md"
readme=$arch/README.md

# Each entry of operations.def: the last column of its row is the SM of the rows there.
# `cudax_load_{u8,u16}` names two, as in a shell
tabled=$(grep -E '^\|.*\| sm_[0-9]+ \|$' "$readme" | while IFS= read -r row; do
  from=$(sed 's/.*| sm_\([0-9]*\) |$/\1/' <<<"$row")
  grep -o '`cudax_[a-z0-9_{},]*`' <<<"$row" | tr -d '`' | while read -r name; do eval "printf '%s $from\n' $name"; done
done)
count=0
while read -r entry instruction from; do
  count=$((count + 1))
  grep -qx "$entry $from" <<<"$tabled" || fail "$entry ($instruction) is from sm_$from in operations.def, but not in the table"
done < <(operations)
[ $count -ge 60 ] || fail "understood only $count rows of operations.def"

# Each generation: the SMs of generations.def, the rows of README.md and the folders have the same ones.
in_rows=$(sed -n 's/^CUDAX_SM[A-Z_]* *([0-9a-z]*, *\(sm_[0-9a]*\),.*/\1/p' "$arch/generations.def" | sort -u)
in_readme=$(sed -n 's/^| `\(sm_[0-9a]*\)\/` |.*/\1/p' "$readme" | sort -u)
folders=$(cd "$arch" && ls -d sm_* | sort -u)
[ "$in_rows" = "$folders" ] || fail "the generations of generations.def are" $in_rows, "the folders" $folders
[ "$in_readme" = "$folders" ] || fail "the generations of README.md are" $in_readme, "the folders" $folders

# Each row that is cited: its name is in the first column of a row.
operations=$(sed -n 's/^| \([a-z_, ]*[a-z]\) |.*/\1/p' "$readme" | tr -s ', ' '\n')
cited=0
while IFS=: read -r file line text; do
  cited=$((cited + 1))
  row=$(sed 's/.*(arch\/README, row \([^)]*\)).*/\1/' <<<"$text")
  grep -qx "$row" <<<"$operations" || fail "modules/$file:$line cites the row $row, which does not exist"
done < <(cd "$arch/../modules" && grep -rn 'arch/README, row' .)
[ $cited -ge 20 ] || fail "found only $cited citations in modules/"
finish "$count operations, $(wc -l <<<"$folders") generations, $cited citations"
