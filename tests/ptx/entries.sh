#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# entries: every entry point of arch/abi.hpp is called by a PTX test and has its row either in the tables of arch/README.md
# or in the third table of arch/lowering.md, and these tables name nothing else. Constants of a generation have no row.
#
#   entries.sh OBJECT...
#
# OBJECTs are the tests' bitcode before the device link. Tools besides those of common.sh: NM.
set -euo pipefail
. "$(dirname "$0")/common.sh"

subject="the entry points of arch/abi.hpp"
declared=$(entries | sort)
constant=$(grep -E '^cudax_(has|tuning)_' <<<"$declared")
# `cudax_load_{u8,u16}` names two, as in a shell
explained=$(grep '^|' "$arch/README.md" | grep -o '`cudax_[a-z0-9_{},]*`' | tr -d '`' | while read -r name; do eval "printf '%s\n' $name"; done | sort)
made=$(sed -n 's/^| `\(cudax_[a-z0-9_]*\)`.*/\1/p' "$arch/lowering.md" | sort -u)
tabled=$(sort -u <<<"$explained"$'\n'"$made")
twice=$(comm -12 <(sort -u <<<"$explained") <(echo "$made"))
[ -z "$twice" ] || fail "in the tables of arch/README.md and in the third one of arch/lowering.md; one is enough:" $twice
called=$("$NM" --undefined-only "$@" 2>/dev/null | grep -o 'cudax_[a-z0-9_]*$' | sort -u)

compare() { # compare SENTENCE FIRST SECOND: fails where FIRST has lines that SECOND lacks
  local only
  only=$(comm -23 <(echo "$2") <(echo "$3"))
  [ -z "$only" ] || fail "$1:" $only
}
compare "declared in abi.hpp, but neither in the tables of arch/README.md nor in the third one of arch/lowering.md" \
  "$declared" "$(sort -u <<<"$tabled"$'\n'"$constant")"
compare "in the tables of arch/README.md or arch/lowering.md, but not declared in abi.hpp" "$tabled" "$declared"
compare "declared in abi.hpp, but called by no PTX test" "$declared" "$called"
finish "$(echo "$declared" | wc -l), each called by a test, $(wc -l <<<"$tabled") of them in the tables"
