#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# command.sh ROOT BUILD CHECK_PROGRAMS: tests what tools/emulate --check guarantees apart from its findings.
set -euo pipefail
(($# == 3)) || { echo "usage: command.sh ROOT BUILD CHECK_PROGRAMS" >&2; exit 2; }
root=$1 build=$2 program=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expects STATUS WORDS ARGUMENT...: tools/emulate ARGUMENT... ends with STATUS and prints WORDS.
expects() {
  local status=0 expected=$1 words=$2
  shift 2
  "$root/tools/emulate" --build "$build" "$@" >"$work/output" 2>&1 </dev/null || status=$?
  ((status == expected)) || { echo "emulate $*: status $status instead of $expected: $(cat "$work/output")" >&2; failed=1; }
  grep -qF -- "$words" "$work/output" || { echo "emulate $*: does not print '$words': $(cat "$work/output")" >&2; failed=1; }
}

wrong=("$program" scope_block_across_blocks wrong)
right=("$program" scope_block_across_blocks right)
expects 0 "1 seed, 0 findings" --check "${right[@]}"
expects 0 "3 seeds, 0 findings" --check --seeds 3 "${right[@]}"
expects 1 "replay: --check --seed " --check --seeds 20 "${wrong[@]}"
stale=("$program" stale_release_fence wrong)
expects 1 ", 1 finding" --check --seeds 20 "${stale[@]}"
expects 0 ", 0 findings" --check --no-stale --seeds 20 "${stale[@]}"
expects 2 "--no-stale is valid only with --check; add --check" --no-stale "${stale[@]}"
expects 2 "nothing was checked" --check true
expects 2 "nothing was checked" --check --seeds 2 "$program" list
expects 2 "nothing was checked" --check --sm 75 "$program" out_of_bounds right # contains no code for sm_75
expects 1 "replay: --sms 2 --check --seed " --check --seeds 20 --sms 2 "${wrong[@]}"
expects 2 "--seeds is valid only with --check; add --check" --seeds 2 "${right[@]}"
expects 2 "--seed is 'x'; use a number" --check --seed x "${right[@]}"
expects 2 "--seeds is '0'; use a number" --check --seeds 0 "${right[@]}"
expects 2 "which cannot be written" --check --json "$work/no/such/folder" "${right[@]}"

# The same seed gives the same findings, byte for byte.
for run in 1 2; do expects 1 "20 seeds, " --check --seeds 20 --json "$work/findings.$run" "${wrong[@]}"; done
cmp "$work/findings.1" "$work/findings.2" || failed=1
[[ -s $work/findings.1 ]] || { echo "no finding was written" >&2; failed=1; }

# Nodes of a graph are concurrent also where they run one after the other: each seed gives a finding.
for seed in {1..8}; do
  expects 1 "1 seed, 1 finding" --check --seed "$seed" "$program" graph_nodes_without_dependency wrong
done

# Lanes meet early with odd seeds, unless an option says otherwise.
early=("$program" lanes_unlock_by_release wrong)
expects 0 "1 seed, 0 findings" --check --seed 2 "${early[@]}"
expects 1 "replay: --check --seed 1" --check --seed 1 "${early[@]}"
expects 1 "replay: --converge-early --check --seed 2" --check --seed 2 --converge-early "${early[@]}"
expects 0 "1 seed, 0 findings" --check --seed 1 --no-converge-early "${early[@]}"
expects 2 "--no-converge-early is valid only with --check; add --check" --no-converge-early "${early[@]}"
"$root/tools/emulate" --build "$build" --converge-early "$program" lanes_unlock_by_release right || failed=1
# Without --check they hang, as on a GPU, and are reported.
CUDAX_EMULATOR_PATIENCE=1 "$root/tools/emulate" --build "$build" --converge-early "${early[@]}" >"$work/hang" 2>&1 </dev/null &
for _ in {1..600}; do
  ! grep -q "and has not ended" "$work/hang" || break
  sleep 0.1
done
kill $! && wait $! || true
for words in "possible hang because of early convergence" "lanes_meet_early.cu:" "st.release.gpu.global" "bar.sync 0"; do
  grep -qF -- "$words" "$work/hang" || { echo "a hang of lanes: no '$words': $(cat "$work/hang")" >&2; failed=1; }
done

# An interrupted run reports what was found so far.
status=0
timeout -s INT 3 "$root/tools/emulate" --build "$build" --check --seeds 100000 "${right[@]}" >"$work/output" 2>&1 || status=$?
grep -q "stopped before seed [1-9]" "$work/output" || { echo "interrupted: $(cat "$work/output")" >&2; failed=1; }
exit "$failed"
