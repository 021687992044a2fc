# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# user_program.sh ROOT FOLDER: tools/litmus run builds and runs a program that is not in tests/litmus, on the emulator.
set -euo pipefail
run=("$1/tools/litmus" run --check --jobs 2)
rm -rf "$2"
mkdir -p "$2"
cd "$2"

fail() {
  echo "user_program.sh: $*" >&2
  cat output errors >&2
  exit 1
}

# program NAME ORDER: message passing, whose flag is written with this order
program() {
  cat >"$1.litmus" <<END
litmus $1
"A reader that sees the flag sees the data."
{
  x;
  y;
}
P0             | P1                  ;
store.weak x 1 | r0 = load.acquire y ;
store.$2 y 1 | if r0 == 1 then r1 = load.weak x ;
placements same_device;
exists (P1:r0=1 /\\ P1:r1=0)
END
}

# ends STATUS ARGUMENT...: runs the command, whose exit status must be this one
ends() {
  local status=0
  "${run[@]}" "${@:2}" >output 2>errors || status=$?
  [[ $status == "$1" ]] || fail "tools/litmus run ${*:2}: status $status, and not $1"
}
has() { grep -q -- "$2" "$1" || fail "$1 has no '$2'"; }

program mine release
ends 0 --seeds 2 --json results --html page.html mine.litmus
has output '^mine same_device library (forbidden): 0 of [1-9]'
has output '^mine same_device ptx (forbidden): 0 of [1-9]'
has output '^2 tests, 2 runs'
[[ $(wc -l <results) == 4 ]] || fail "results: not a line for each of 2 tests and 2 schedules"
has page.html '<th data-value="mine">mine <small>ptx</small></th>'

ends 0 --list mine.litmus
[[ $(<output) == $'mine same_device library\nmine same_device ptx' ]] || fail "--list does not print the two tests"

program racy relaxed
ends 1 racy.litmus
has errors 'cudax.sync check: race: '
has output '^Test racy same_device library (undefined)'

program wrong relase
ends 2 wrong.litmus
has errors "wrong.litmus:9: 'relase' is no qualifier of store"
ends 2 --score 200 mine.litmus
has errors "litmus_run: --score is '200'"
! grep -q 'Building' errors || fail "kernels were built for a wrong option"
