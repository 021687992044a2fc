#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# program.sh ROOT BUILD PROGRAM WANTS_DRIVER WANTS_NVRTC: what the emulator reports about programs that end
# while kernels run, that ignore errors, or that ran no kernel.
set -euo pipefail
(($# == 5)) || { echo "usage: program.sh ROOT BUILD PROGRAM WANTS_DRIVER WANTS_NVRTC" >&2; exit 2; }
root=$1 build=$2 program=$3 wants_driver=$4 wants_nvrtc=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
  echo "$*: $(cat "$work/output")" >&2
  failed=1
}

# expects STATUS WORDS ARGUMENT...: tools/emulate ARGUMENT... ends with STATUS and prints WORDS.
expects() {
  local status=0 expected=$1 words=$2
  shift 2
  "$root/tools/emulate" --build "$build" "$@" >"$work/output" 2>&1 </dev/null || status=$?
  ((status == expected)) || complain "emulate $*: status $status instead of $expected"
  grep -qF -- "$words" "$work/output" || complain "emulate $*: does not print '$words'"
}
silent_about() { # WORDS: the last command did not print them
  ! grep -qF -- "$1" "$work/output" || complain "says '$1'"
}
first_word() { od -An -tu4 -N4 "$work/word" | tr -d ' '; }

# A kernel that is running when the program ends runs to its end. The time limit allows for a busy machine.
export CUDAX_EMULATOR_PATIENCE=300
for check in "" --check; do
  for name in late after_main; do
    rm -f "$work/word"
    "$root/tools/emulate" --build "$build" $check "$program" $name "$work/word" >"$work/output" 2>&1 || complain "$name $check"
    [[ $(first_word) == 42 ]] || complain "$name $check: the kernel did not end, and the file holds $(first_word)"
  done
done

# A child of fork() does not have the parent's threads. It gets an error, and does not hang.
expects 0 "a child of fork() called CUDA, which the parent had used before" "$program" child
"$root/tools/emulate" --build "$build" "$program" first_in_child >"$work/output" 2>&1 || complain "first_in_child"

# A kernel that cannot end is dropped, and reported with its place. A checked run first reports a livelock.
CUDAX_EMULATOR_PATIENCE=5 expects 1 "livelock" --check "$program" waiting
export CUDAX_EMULATOR_PATIENCE=1
expects 0 "the program ended while 1 kernel had not" "$program" waiting
for words in "dropped: wait_for" "kernel wait_for, block (0, 0, 0): thread (0, 0, 0) runs: " "runtime_program.sm_75.ptx:"; do
  grep -qF -- "$words" "$work/output" || complain "waiting: does not print '$words'"
done

# An endless loop is reported while it runs, once, with its place.
: >"$work/output"
"$root/tools/emulate" --build "$build" "$program" hint "$work/output" 2>>"$work/output" || complain "hint: status $?"
[[ $(grep -c "kernel wait_for: a block of it has run for" "$work/output") == 1 ]] || complain "hint: not once"
grep -q "kernel wait_for, block ([01], 0, 0): .* first, run: .*runtime_program.sm_75.ptx:[0-9]*" "$work/output" ||
  complain "hint: does not say where"
# In a checked run, if it is not certain that it waits in vain.
: >"$work/output"
"$root/tools/emulate" --build "$build" --check "$program" hint_checked "$work/output" 2>>"$work/output" ||
  complain "hint_checked: status $?"
[[ $(grep -c "kernel count_until: it has changed no memory for" "$work/output") == 1 ]] || complain "hint_checked: not once"
grep -q "kernel count_until, 2 blocks, (0, 0, 0) first: 64 threads, (0, 0, 0) first, poll 4 bytes of host memory of CUDA, which are 0: ld.acq" \
  "$work/output" || complain "hint_checked: does not say what the threads poll"
export CUDAX_EMULATOR_PATIENCE=300

# An error that the program ignores is a finding.
expects 1 "trap: the kernel ended itself" --check "$program" trap

# PTX from a file, in which the same kernel does not trap; and which of its lines access or order memory and were reached.
cat >"$work/own.ptx" <<'END'
.version 7.0
.target sm_75
.address_size 64
.global .attribute(.managed) .align 4 .u32 managed;
.global .align 4 .u32 variable[4];
.visible .entry stop() {
  fence.acq_rel.gpu;
  bra.uni end;
  fence.acq_rel.sys;
end:
  membar.sys;
  ret;
}
END
export CUDAX_EMULATOR_PTX=$work/own.ptx CUDAX_EMULATOR_REACHED=$work/reached
expects 0 "1 seed, 0 findings" --check "$program" trap
[[ $(xargs <"$work/reached") == "7 11" ]] || complain "trap with own PTX: reached lines $(xargs <"$work/reached") instead of 7 11"
export CUDAX_EMULATOR_PTX=$work/none
expects 2 "CUDAX_EMULATOR_PTX is '$work/none', which is empty or cannot be read" --check "$program" trap
sed s/sm_75/sm_100/ "$work/own.ptx" >"$work/newer.ptx"
export CUDAX_EMULATOR_PTX=$work/newer.ptx
expects 2 "CUDAX_EMULATOR_PTX names PTX for the target 'sm_100', which does not run on the emulated sm_90" --check "$program" trap
unset CUDAX_EMULATOR_PTX CUDAX_EMULATOR_REACHED

# The reasons why nothing was checked. The message about PTX and the shared runtime appears only if no kernel was found.
expects 2 "it holds kernels and launched none" --check "$program" nothing
silent_about PTX
expects 2 "the first error that a CUDA call returned is cudaErrorInvalidDevice" --check "$program" failed_call
silent_about PTX
expects 2 "no launch succeeded; the first error is cudaErrorInvalidPtx" --check "$program" rejected
silent_about "does it hold PTX"
grep -qF "frobnicate" "$work/output" || complain "rejected: the instruction is not named"
expects 2 "ended before the kernel began" --check "$program" killed
silent_about PTX
expects 2 "it did not load the emulator's libcudart.so.13" --check true
expects 0 "leaves no PTX of the linked program" "$program" linked

expects 2 "is not a program; name an executable file" --check "$work/none"

# Programs that use the driver API or NVRTC.
expects 2 "is linked against libcuda.so.1, the driver" "$wants_driver"
status=0
"$root/tools/emulate" --build "$build" "$wants_nvrtc" >"$work/output" 2>&1 || status=$?
grep -qF "is linked against NVRTC" "$work/output" || complain "wants_nvrtc"

# CUDA's atomicCAS as clang compiles it is stronger than nvcc's.
expects 0 "the program holds CUDA's atomicCAS as clang compiles it" --check "$program" lock
expects 0 "1 seed, 0 findings" --check "$program" own_lock
silent_about "atomicCAS"
exit "$failed"
