# SPDX-License-Identifier: Apache-2.0
#
# common: what the checks of PTX share; for sh, sourced. Tools: FILECHECK, OBJDUMP, PTXAS in the environment.
# `subject` is what is being checked, for messages. A check goes on after a failure and ends with finish.
failures=0

fail() {
  failures=$((failures + 1))
  echo "$subject: $*" >&2
}

# finish SENTENCE: ends with an error after a failure; prints the sentence else.
finish() {
  if [ $failures -ne 0 ]; then
    echo "$subject: $failures failures" >&2
    exit 1
  fi
  echo "$subject: $*"
}

# The entry points that arch/abi.hpp declares: entries BOUNDARY.
entries() {
  sed -n 's/^CUDAX_ENTRY.* \(cudax_[a-z0-9_]*\)(.*/\1/p' "$1"
}

# Compares PTX with the comments of a source: filecheck SOURCE PTX PREFIXES OPTION...
# What the comments do not ask for is forbidden: an atomic operation, a fence, a barrier, a copy, a call, a question for the
# state space.
filecheck() {
  source=$1 input=$2 prefixes=$3
  shift 3
  "$FILECHECK" "$source" --input-file="$input" --check-prefixes="$prefixes" --allow-unused-prefixes --dump-input-context=15 \
    --implicit-check-not='{{[[:space:]](atom|red|fence|membar|call|isspacep|nanosleep|bar|barrier|mbarrier|cp|clusterlaunchcontrol|activemask)[.[:space:]]}}' \
    --implicit-check-not='{{[[:space:]](ld|st)\.(relaxed|acquire|release|volatile|mmio)}}' "$@"
}

# No atomic operation and no fence without its order and scope, anywhere in a file of PTX, and none that the SM lacks.
check_qualifiers() {
  if grep -nE '[[:space:]](atom|red)\.' "$1" |
     grep -vE '(atom|red)\.(relaxed|acquire|release|acq_rel)\.(cta|cluster|gpu|sys)\.' >&2; then
    fail "an atom or red without order or scope"
  fi
  if grep -nE '[[:space:]](fence|membar)[.;]' "$1" |
     grep -vE 'fence\.((sc|acq_rel|acquire|release)\.(cta|cluster|gpu|sys)|proxy\.async\.(global|shared::cta));' >&2; then
    fail "a fence without order or scope"
  fi
  # Before sm_90, mbarrier has none to name.
  if [ "${2%[a-z]}" -ge 90 ] && grep -nE '[[:space:]]mbarrier\.(arrive|test_wait|try_wait|expect_tx)' "$1" |
     grep -vE '\.(relaxed|acquire|release)\.(cta|cluster)\.shared::' >&2; then
    fail "an mbarrier operation without order or scope"
  fi
  if [ "${2%[a-z]}" -lt 90 ] &&
     grep -nE '[[:space:]]fence\.(acquire|release)\.|\.cluster[.;]|[[:space:]](atom|red)\..*(b128|bf16)' "$1" >&2; then
    fail "an instruction that only sm_90 has"
  fi
}

# ptxas accepts PTX for an SM and knows all of it: where it does not know an instruction it may emit 16 bytes of zero.
# check_assembly PTX SM CUBIN OPTION...
check_assembly() {
  ptx=$1 sm=$2 cubin=$3
  shift 3
  if ! "$PTXAS" -arch="sm_$sm" "$@" "$ptx" -o "$cubin"; then
    fail "ptxas refused $ptx"
    return
  fi
  empty=$("$OBJDUMP" -s "$cubin" | awk '
    /^Contents of section/ { text = $4 ~ /^\.text/; section = $4 }
    text && / 00000000 00000000 00000000 00000000 / { print section }')
  if [ "$empty" ]; then fail "ptxas emitted an empty instruction in" $empty; fi
  if ! "$OBJDUMP" -s "$cubin" | grep -q '^Contents of section \.text'; then fail "ptxas emitted no code for $ptx"; fi
}
