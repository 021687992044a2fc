# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# quick_choice.sh ROOT BUILD: what tools/test --quick chooses for a changed file (quick.sh), of the tests of BUILD.
set -euo pipefail
cd "$1"
names=$(find "$2" -name CTestTestfile.cmake -exec sed -nE 's/^add_test\(\[=*\[([^]]+).*/\1/p' {} +) # ctest would write its log
failed=0
fail() {
  echo "quick.sh: $*" >&2
  failed=1
}

# choose FILE: sets `targets` and `chosen`, the tests
choose() {
  local pattern
  [[ -e $1 ]] || fail "$1 does not exist; correct its row in quick_choice.sh"
  # shellcheck source=tests/support/quick.sh
  source tests/support/quick.sh
  cover "$1" || fail "$1: cover() fails; add a case for it"
  for pattern in "${tests[@]}"; do
    grep -qxE -- "$pattern" <<<"$names" || fail "$1: runs '$pattern', which matches no test; correct its case in cover()"
  done
  chosen=$(grep -xE -- "$(IFS='|' && echo "${tests[*]}")" <<<"$names" || true)
}

# runs FILE TARGET TEST...: a change of the file builds the target, or - for none, and runs these tests
runs() {
  local test
  choose "$1"
  [[ $2 == - || " ${targets[*]} " == *" $2 "* ]] || fail "$1: builds '${targets[*]}' without $2; correct its case in cover()"
  for test in "${@:3}"; do
    grep -qxF -- "$test" <<<"$chosen" || fail "$1: runs '${tests[*]}' without $test; correct its case in cover()"
  done
}

# leaves FILE TEST...: a change of the file does not run these tests
leaves() {
  local test
  choose "$1"
  for test in "${@:2}"; do
    ! grep -qxF -- "$test" <<<"$chosen" || fail "$1: also runs $test; correct its case in cover()"
  done
}

runs tests/litmus/mp/MP+rel+acq.litmus litmus_model litmus.verdict litmus.generated litmus.known litmus.formal
runs tests/litmus/mp/MP+rel+acq.expected litmus_model litmus.verdict litmus.known
runs tests/litmus/families/message_passing.py litmus_model litmus.generated
runs tools/litmus_model/parse.cpp litmus_model litmus.commands litmus.verdict
runs tests/emulator/check/litmus/two_threads.cu litmus_model litmus.known
runs tools/litmus - tools.help.litmus
runs tools/litmus_runner/page/page.js - litmus_run.page
runs tools/litmus_runner/run - litmus_run.command
runs tests/std/copy/pipeline.run.cpp run_plain plain.std.copy.pipeline
runs modules/thread/mutex.cppm run_plain plain.std.thread.mutex house.layers tools.docs.check
leaves tests/litmus/mp/MP+rel+acq.litmus plain.std.thread.mutex litmus_run.checked.sm_90
leaves tests/std/copy/pipeline.run.cpp plain.std.thread.mutex litmus.verdict
exit $failed
