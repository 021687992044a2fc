# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# quick.sh: from changed files to what tools/test --quick builds and runs. Sourced, in the root of the project. Suites have the
# names of their files, so most follows from the suffix and the folder of a file: tests/std/copy/pipeline.run.cpp is
# plain.std.copy.pipeline, and modules/copy is tested by tests/std/copy and the rooms above it.

targets=() tests=("format" "house\\..*") sms=()
# Programs with device code are not built: without the tests that need them.
# shellcheck disable=SC2034 # tools/test reads it
without='emulator\.arithmetic\.h100|emulator\.front_end\.build|runtime\.info'
with_cuda() { [[ $CUDAX_SYNC_CUDA != off ]]; }

plain() { # REGEX: of suites
  targets+=(run_plain) tests+=("plain\\.$1")
}
static() { # REGEX: of the names without the flavour; plain C++ and the device side stand for all flavours
  targets+=(static_bmis_plain20) tests+=("static\\.$1\\.plain20")
  ! with_cuda || { targets+=(static_bmis_device20) tests+=("static\\.$1\\.device20"); }
}

# A room of modules/, or none: its suites, and those of the rooms that may import it, by the table of modules/README.md.
room() {
  static '.*'
  tests+=("tools\\.docs\\.check")
  case $1 in
  host) runtime ;;
  *)
    local rooms=$1 before=""
    while [[ $rooms != "$before" ]]; do
      before=$rooms
      rooms=$(sed -nE "s/^\| \`([a-z]*)\/\` \|[^|]*\|.*\`($rooms)\`.*/\1/p" modules/README.md | cat - <(tr '|' '\n' <<<"$rooms") |
        sort -u | paste -sd '|')
    done
    [[ -d modules/$1 && $1 != include ]] || rooms='.*'
    plain "std\\.($rooms)\\..*"
    ;;
  esac
}
runtime() {
  targets+=(run_runtime copies shared_sync shared_sync_shared) tests+=('runtime\..*')
}
emulator() {
  with_cuda || return 1
  targets+=(cudax_emulator cudax_emulator_list cudax_emulator_round_trip emulator_arithmetic emulator_check emulator_check_run
    emulator_check_speed emulator_front_end emulator_machine emulator_memory emulator_runtime emulator_runtime_program
    emulator_wants_cuda emulator_wants_nvrtc)
  tests+=('emulator\.((arithmetic|front_end|instructions|machine|memory|runtime)\..*)'
    'emulator\.(check\.(model|words|litmus|memory|stale)|check_(run|speed))')
}
litmus() { # REGEX: of the tests
  targets+=(litmus_model) tests+=("litmus\\.$1")
}
ptx() { # REGEX: of the families, the SM, and the target, if it is not all of them
  with_cuda || return 1
  targets+=("${3-ptx}") tests+=("ptx\\.$1") sms+=("$2")
}

# cover FILE: adds to `targets`, `tests` and `sms`. Fails where nothing here covers the file.
cover() {
  local folder=${1%/*} name=${1##*/} sm
  folder=${folder#tests/} name=${name%%.*}
  local suites=${folder//\//\\.} # std/copy: std\.copy
  case $1 in
  # By the suffix.
  modules/README.md) tests+=("tools\\.docs\\.check") ;; # its tables are checked, too
  *.md) ;; # house.paths, which always runs
  tests/*.run.cpp) plain "$suites\\.$name" ;;
  tests/std/*.compile.cpp | tests/std/*.fail.cpp) static "$suites\\.$name\\..*" ;;
  tests/*.compile.cpp | tests/*.fail.cpp | tests/*.inc) static "$suites\\..*" ;;
  tests/*.death.cpp) targets+=(deaths_plain) tests+=("plain\\.deaths") ;;
  tests/*.ptx.cu)
    sm=$(sed -n "s/^cudax_ptx($name .* ONLY \([0-9a]*\).*/\1/p" tests/ptx/CMakeLists.txt)
    sm=${sm:-90}
    ptx "$name\\.sm_$sm" "$sm" "tests/ptx/$name.sm_$sm.ptx"
    ;;
  tests/litmus/*.litmus | tests/litmus/*.expected) litmus '.*' ;;
  # By the folder.
  modules/*.cppm | modules/*.hpp | modules/files.cmake) room "$(cut -d / -f 2 <<<"$1")" ;;
  runtime/*.[ch]pp | runtime/*.h) runtime && plain 'std\.(thread|copy|atomic\.wait).*' ;;
  arch/sm_70/*) ptx '.*\.sm_75' 75 ;;
  arch/sm_*) ptx ".*\\.${folder#arch/}" "${folder#arch/sm_}" ;;
  arch/*) ptx '.*\.sm_90' 90 ;;
  tests/std/*/*) plain "$suites\\..*" && static "$suites\\..*" ;;
  tests/runtime/*.[ch]pp) runtime ;;
  tools/emulator/*.[ch]pp | tests/emulator/*.[ch]pp) emulator ;;
  tools/litmus_model/*.[ch]pp | tests/litmus/*.py) litmus '.*' ;;
  tools/litmus_runner/*.py | tools/litmus_runner/page/* | tests/litmus_run/*.py) tests+=("litmus_run\\.page") ;;
  tools/litmus_runner/run | tests/litmus_run/*.sh) tests+=("litmus_run\\.command") ;;
  tests/emulator/check/litmus/*.cu) litmus known ;; # the emulator's own tests take longer
  tests/guide/*.[ch]pp | tests/guide/*.cu) targets+=(guide_plain) tests+=("plain\\.guide" "tools\\.docs\\.check") ;;
  tests/support/test.hpp | tests/support/lists.hpp | tests/support/waiting.hpp | tests/support/main.cpp) plain 'std\..*' ;;
  tools/docs | tools/documentation/*) tests+=("tools\\.docs\\..*" "tools\\.help\\.docs") ;;
  tools/bench | tools/demo | tools/emulate | tools/execution-model | tools/info | tools/litmus | tools/setup | tools/test)
    tests+=("tools\\..*")
    ;;
  *) return 1 ;;
  esac
}
