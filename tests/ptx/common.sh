# SPDX-License-Identifier: Apache-2.0
#
# common: what the checks of PTX share; for sh, sourced. Tools: CXX, FILECHECK, OBJDUMP, PTXAS in the environment.
# `subject` is what is being checked, for messages. A check continues after a failure and ends with finish.
failures=0
arch=$(cd "$(dirname "$0")/../../arch" && pwd)

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

# The entry points that arch/abi.hpp declares, in its order; a line of the preprocessor's output is one declaration.
declarations() {
  "$CXX" -x c++ -E -P -w -D__CUDA__ "$arch/abi.hpp" | grep '^extern "C"'
}
entries() {
  declarations | sed -n 's/^.* \(cudax_[a-z0-9_]*\)(.*/\1/p'
}

# The rows of arch/operations.def, as lines: ENTRY INSTRUCTION FROM.
operations() {
  {
    echo '#define CUDAX_LOAD(operation, type, word, instruction, from) cudax_##operation##_##type instruction from'
    for kind in STORE EXCHANGE COMPARE; do echo "#define CUDAX_$kind CUDAX_LOAD"; done
    echo '#define CUDAX_FETCH(operation, type, word, instruction, value, from) cudax_##operation##_##type instruction from'
    echo '#define CUDAX_REDUCE CUDAX_FETCH'
    echo "#include \"$arch/operations.def\""
  } | "$CXX" -x c++ -E -P - | grep '^cudax_'
}

# The number of the generation that an SM belongs to, 80 for 89 and 90 for 90a: generation SM.
generation() {
  number=$(sed -n "s/^CUDAX_SM[A-Z_]* *($1, *sm_\([0-9]*\)a\{0,1\},.*/\1/p" "$arch/generations.def")
  if [ -z "$number" ]; then
    echo "arch/generations.def has no row for sm_$1" >&2
    exit 1
  fi
  echo "$number"
}
# The same with the letter, 90a for 90a: generation_with_letter SM.
generation_with_letter() {
  sed -n "s/^CUDAX_SM[A-Z_]* *($1, *sm_\([0-9a]*\),.*/\1/p" "$arch/generations.def"
}

# Compares PTX with the comments of a source: filecheck SOURCE PTX PREFIXES OPTION...
# Unless the comments match them, these are forbidden: atomic operations, fences, barriers, copies, calls, queries of the
# state space.
filecheck() {
  source=$1 input=$2 prefixes=$3
  shift 3
  "$FILECHECK" "$source" --input-file="$input" --check-prefixes="$prefixes" --allow-unused-prefixes --dump-input-context=15 \
    --implicit-check-not='{{[[:space:]](atom|red|fence|membar|call|isspacep|nanosleep|bar|barrier|mbarrier|cp|clusterlaunchcontrol|activemask|setmaxnreg|tcgen05|tensormap)[.[:space:]]}}' \
    --implicit-check-not='{{[[:space:]](ld|st)\.(relaxed|acquire|release|volatile|mmio)}}' "$@"
}

# For awk. Waits begin with polls in a row (modules/wait/wait.cppm), which are checked and listed as one. Returns whether
# a line of PTX is such a poll after another: the same relaxed load of the same object, or the same test of the same
# mbarrier, with no memory operation, synchronization or jump in between. If a pause follows each poll, the pauses count
# as one, too. How many polls there are, sass.sh checks.
repeats_poll='
  function repeats_poll(line,   poll) {
    if (line !~ /(^|[ \t])([a-z]*(atom|red|ld|st|fence|membar|bar|barrier|mbarrier|nanosleep|call|shfl|match|vote|activemask)[. ]|bra[.]uni|ret;)|^[.}]/)
      return 0
    if (line ~ /nanosleep/ && polled && !asleep) {
      asleep = 1
      return paused++ > 0
    }
    poll = line
    if (line ~ /mbarrier[.]test_wait/) sub(/(%r[0-9]+; )?selp[.]b32 %r[0-9]+/, "", poll) # the parity, the result
    else if (!sub(/^.*ld[.]relaxed/, "", poll) || !sub(/[ \t].*\[/, " ", poll)) poll = ""
    if (poll != polled || !asleep) paused = 0
    asleep = 0
    if (poll && poll == polled) return 1
    polled = poll
    return 0
  }'

# Every atomic operation and fence in a file of PTX names its order and scope, and the SM has it: check_qualifiers PTX SM.
# One may be without: the addition of arch/sm_70/atom_add.ll, whose order and scope are the defaults. Which calls become
# that one, the cases check (check.sh).
check_qualifiers() {
  if grep -nE '[[:space:]](atom|red)\.' "$1" |
     grep -vE '(atom|red)(\.async)?\.(relaxed|acquire|release|acq_rel)\.(cta|cluster|gpu|sys)\.|atom\.(global\.|shared\.)?add\.u(32|64)' >&2; then
    fail "an atom or red without order or scope"
  fi
  if grep -nE '[[:space:]](fence|membar)[.;]' "$1" |
     grep -vE 'fence\.((sc|acq_rel|acquire|release)\.(cta|cluster|gpu|sys)|(proxy\.async::generic\.)?(acquire\.sync_restrict::shared::cluster|release\.sync_restrict::shared::cta)\.cluster|mbarrier_init\.release\.cluster|proxy\.async\.(global|shared::(cta|cluster)));|fence\.proxy\.tensormap::generic\.(release\.(cta|cluster|gpu|sys);|acquire\.(cta|cluster|gpu|sys) \[%rd[0-9]+\], 128;)' >&2; then
    fail "a fence without order or scope"
  fi
  # Before sm_90, mbarrier has neither.
  if [ "$(generation "$2")" -ge 90 ] && grep -nE '[[:space:]]mbarrier\.(arrive|test_wait|try_wait|expect_tx|complete_tx)' "$1" |
     grep -vE '\.(relaxed|acquire|release)\.(cta|cluster)\.shared::' >&2; then
    fail "an mbarrier operation without order or scope"
  fi
  if [ "$(generation "$2")" -lt 90 ] &&
     grep -nE '[[:space:]]fence\.(acquire|release)\.|\.cluster[.;]|[[:space:]](atom|red)\..*(b128|bf16)' "$1" >&2; then
    fail "an instruction that requires sm_90 or later"
  fi
}

# ptxas accepts PTX for an SM and implements all of it: for an instruction that it does not implement it may emit 16 bytes of
# zero.
# check_assembly PTX SM CUBIN OPTION...
check_assembly() {
  ptx=$1 sm=$2 cubin=$3
  shift 3
  if ! "$PTXAS" -arch="sm_$sm" "$@" "$ptx" -o "$cubin"; then
    fail "ptxas rejects $ptx"
    return
  fi
  empty=$("$OBJDUMP" -s "$cubin" | awk '
    /^Contents of section/ { text = $4 ~ /^\.text/; section = $4 }
    text && / 00000000 00000000 00000000 00000000 / { print section }')
  if [ "$empty" ]; then fail "ptxas emitted an empty instruction in" $empty; fi
  if ! "$OBJDUMP" -s "$cubin" | grep -q '^Contents of section \.text'; then fail "ptxas emitted no code for $ptx"; fi
}
