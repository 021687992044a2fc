#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# instructions: the table of tools/emulator/instructions/README.md equals the emulator's own list.
#
#   instructions.sh LIST README [--write]
set -euo pipefail
list=$1 readme=$2
table=$("$list")
if [[ ${3-} == --write ]]; then
  head=$(sed '/^| instruction | forms |$/,$d' "$readme")
  printf '%s\n\n%s\n' "$head" "$table" >"$readme"
  exit
fi
diff <(sed -n '/^| instruction | forms |$/,$p' "$readme") <(echo "$table") ||
  { echo "the table is not that of the code; run: $0 $list $readme --write" >&2; exit 1; }
echo "$(echo "$table" | wc -l) lines"
