#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh ROOT BUILD CHECK_PROGRAMS NAME SEEDS: runs one program of check_programs checked.
#
# For the wrong twin, some seed must give a finding of the program's kind that names a line marked `// first` and one
# marked `// second` (or one of them, if the source marks no other). Where the program says so, that many of ten seeds
# must give it, each alone. For the right twin, no seed may give any finding.
set -euo pipefail
(($# == 5)) || { echo "usage: run.sh ROOT BUILD CHECK_PROGRAMS NAME SEEDS" >&2; exit 2; }
root=$1 build=$2 program=$3 name=$4 seeds=${CUDAX_SYNC_SEEDS:-$5}

IFS='|' read -r _ source kind sm of_ten < <("$program" list | grep "^$name|") || { echo "there is no program $name" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# checked TWIN FIRST SEEDS: writes the findings from the seed FIRST on, a line each, to $work/TWIN.json, and the output
# to $work/TWIN.out.
checked() {
  : >"$work/$1.json"
  "$root/tools/emulate" --build "$build" --sm "$sm" --check --seed "$2" --seeds "$3" --json "$work/$1.json" \
    "$program" "$name" "$1" >"$work/$1.out" 2>&1
}

export CUDAX_EMULATOR_PATIENCE=5
failed=0
complain() {
  echo "$name: $1" >&2
  failed=1
}

status=0
checked right 1 "$seeds" || status=$?
((status == 0)) || complain "the right twin ended with status $status: $(tail -5 "$work/right.out")"
[[ ! -s $work/right.json ]] || complain "the right twin is reported: $(head -1 "$work/right.json")"

lines() { grep -nE "//.*\b$1\b" "$source" | cut -d: -f1; }
lines first >"$work/first" || true
lines second >"$work/second" || true
# The number of findings that are the expected one.
good_findings() {
  awk -v file="$(basename "$source")" -v kind="\"kind\": *\"$kind\"" -v work="$work" '
    BEGIN {
      while ((getline line < (work "/first")) > 0) { first[line]; has_first = 1 }
      while ((getline line < (work "/second")) > 0) { second[line]; has_second = 1 }
    }
    $0 ~ kind {
      names_first = names_second = 0
      count = split($0, parts, /"source": *"/)
      # Two accesses on one line count as two parties; one party does not count twice.
      for (i = 2; i <= count; ++i) {
        where = parts[i]; sub(/".*/, "", where); sub(/.*\//, "", where)
        if (split(where, at, ":") < 2 || at[1] != file) continue
        for (j = 2; j <= count; ++j) {
          other = parts[j]; sub(/".*/, "", other); sub(/.*\//, "", other)
          split(other, to, ":")
          if (has_first && has_second && i != j && (at[2] in first) && (to[2] in second) && to[1] == file) good = 1
          if (has_first != has_second && ((at[2] in first) || (at[2] in second))) good = 1
        }
      }
      if (good) { ++total; good = 0 }
    }
    END { print total + 0 }' "$work/wrong.json"
}

# First a few seeds: a livelock takes as long as the patience each.
found=0 tried=0
for many in 1 3 16 80 400 $((seeds - 500)); do
  ((found == 0 && tried < seeds && many > 0)) || continue
  ((many <= seeds - tried)) || many=$((seeds - tried))
  checked wrong "$tried" "$many" || true
  tried=$((tried + many))
  found=$(good_findings)
done
if ((found == 0)); then
  complain "no seed of $seeds shows a finding of kind '$kind' at the marked lines of $source; what was found:"
  head -3 "$work/wrong.json" >&2 || true
  tail -5 "$work/wrong.out" >&2 || true
fi
if ((of_ten)); then
  many=0
  for seed in {0..9}; do
    checked wrong "$seed" 1 || true
    (($(good_findings) == 0)) || many=$((many + 1))
  done
  ((many >= of_ten)) || complain "$many of ten seeds show the finding; $of_ten must"
fi
((failed)) || echo "$name: '$kind' found within $tried seeds; $seeds seeds of the corrected twin are clean"
exit "$failed"
