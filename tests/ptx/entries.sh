#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# entries: every entry point of arch/abi.hpp is in the tables of arch/README.md and is called by a PTX test, and the
# tables name nothing else.
#
#   entries.sh BOUNDARY README OBJECT...
#
# OBJECTs are the tests' bitcode before the device link. Tools: NM in the environment.
set -euo pipefail

boundary=$1 readme=$2
shift 2

declared=$(sed -n 's/^CUDAX_ENTRY.* \(cudax_[a-z0-9_]*\)(.*/\1/p' "$boundary" | sort)
# `cudax_load_{u8,u16}` names two, as in a shell
tabled=$(grep '^|' "$readme" | grep -o '`cudax_[a-z0-9_{},]*`' | tr -d '`' | while read -r name; do eval "printf '%s\n' $name"; done | sort)
called=$("$NM" --undefined-only "$@" 2>/dev/null | grep -o 'cudax_[a-z0-9_]*$' | sort -u)

failures=0
compare() { # compare SENTENCE FIRST SECOND: what is in FIRST alone
  local only
  only=$(comm -23 <(echo "$2") <(echo "$3"))
  [ -z "$only" ] && return
  failures=1
  echo "$1:" $only >&2
}
compare "declared in abi.hpp, but not in the tables of arch/README.md" "$declared" "$tabled"
compare "in the tables of arch/README.md, but not declared in abi.hpp" "$tabled" "$declared"
compare "declared in abi.hpp, but called by no PTX test" "$declared" "$called"
[ $failures = 0 ] || exit 1
echo "$(echo "$declared" | wc -l) entry points, each in the tables and called by a test"
