# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# command.sh ROOT FOLDER: tools/litmus run rejects wrong arguments, before it builds anything.
set -euo pipefail
run=("$1/tools/litmus" run)
mkdir -p "$2"
cd "$2"
mkdir -p empty
printf 'litmus mine\n' >mine.litmus
failed=0

# rejects MESSAGE ARGUMENT...
rejects() {
  local text status=0
  text=$("${run[@]}" "${@:2}" 2>&1) || status=$?
  [[ $status == 2 && $text == "tools/litmus run: $1"* ]] ||
    { echo "${run[*]} ${*:2}: status $status, and not 2 with '$1': $text" >&2; failed=1; }
}

rejects "'none.litmus' does not exist" --check none.litmus
rejects "'empty' holds no program" --check empty
rejects "--test is '=MP+none', and no program" --check --test =MP+none
rejects "--test needs an argument" --check --test
rejects "--seeds is 'x'; use a number from 1" --check --seeds x
rejects "--seeds is '0'; use a number from 1" --check --seeds 0
rejects "--seeds is for --check" --emulate --seeds 2 mine.litmus
rejects "--jobs is '0'" --check --jobs 0
rejects "--html is '/none/page.html', which cannot be written" --check --html /none/page.html
rejects "--json is 'empty', which cannot be written" --check --json empty mine.litmus
rejects "--json - goes neither with" --check --json - mine.litmus
rejects "--json - goes neither with" --emulate --json - --html page.html mine.litmus
text=$("${run[@]}" --help)
[[ $text == "usage: tools/litmus run"* ]] || { echo "--help: $text" >&2; failed=1; }
exit $failed
