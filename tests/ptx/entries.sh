#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# entries: every entry point of arch/abi.hpp is in the tables of arch/README.md and is called by a PTX test, and the
# tables name nothing else.
#
#   entries.sh OBJECT...
#
# OBJECTs are the tests' bitcode before the device link. Tools besides those of common.sh: NM.
set -euo pipefail
. "$(dirname "$0")/common.sh"

subject="the entry points of arch/abi.hpp"
declared=$(entries | sort)
# `cudax_load_{u8,u16}` names two, as in a shell
tabled=$(grep '^|' "$arch/README.md" | grep -o '`cudax_[a-z0-9_{},]*`' | tr -d '`' | while read -r name; do eval "printf '%s\n' $name"; done | sort)
called=$("$NM" --undefined-only "$@" 2>/dev/null | grep -o 'cudax_[a-z0-9_]*$' | sort -u)

compare() { # compare SENTENCE FIRST SECOND: fails where FIRST has lines that SECOND lacks
  local only
  only=$(comm -23 <(echo "$2") <(echo "$3"))
  [ -z "$only" ] || fail "$1:" $only
}
compare "declared in abi.hpp, but not in the tables of arch/README.md" "$declared" "$tabled"
compare "in the tables of arch/README.md, but not declared in abi.hpp" "$tabled" "$declared"
compare "declared in abi.hpp, but called by no PTX test" "$declared" "$called"
finish "$(echo "$declared" | wc -l), each in the tables and called by a test"
