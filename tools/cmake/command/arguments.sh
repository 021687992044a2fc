# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of cudax++
#
# arguments: what this command must know of clang's arguments, and what it leaves to clang.

# --- the arguments --------------------------------------------------------------------------------------------------

words=()         # for clang: what `expanded` contains, without this command's own options; no name begins as an option does
file_kind=()     # "source" or "other" at the indices of files in `words`
rewritten=false  # whether clang gets `words`, and not the arguments as they were given
options=()       # those of `words` that say how a source is compiled
mode=()          # those that say what is made of it (-c, -MD, ...), except -o
language=()      # the flags on which BMI and importer must agree
architectures=() # the SMs
sources=() objects=() archives=()
libraries=() folders=() # -l and -L
has_standard=false links=true has_cuda=false has_plain=false has_units=false has_objects=false debug=false
config_file=false shares=false all_cuda=false static="" output="" bmi_folder=""

# takes_value OPTION: whether the next argument belongs to the option
takes_value() {
  case $1 in
    --std | -D | -U | -l | -L | -o | -x | -I | -isystem | -iquote | -idirafter | -include | -imacros | -MF | -MT | -MQ | -MJ | \
      -T | -u | -z | -e | -Xlinker | -Xclang | -Xassembler | -Xpreprocessor | -Xarch_* | -Xcuda-* | -Xoffload-* | -mllvm | \
      --param | -target | --sysroot | -isysroot) ;;
    *) return 1 ;;
  esac
}

# note_option OPTION [VALUE]: what this script must know of it
note_option() {
  case $1 in
    --config-file) config_file=true ;;
    --bmi-folder=?*) bmi_folder=${1#*=} ;;
    --bmi-folder*) fail "$1: name a folder, as in --bmi-folder=bmis" ;;
    -c | -S | -E | -fsyntax-only | --precompile | -M | -MM) links=false ;;
    -o*) output=${1#-o}${2-} ;;
    -std=* | --std=*) check_standard "$1"; has_standard=true language+=("-std=${1#*=}") ;;
    --std) check_standard "--std=$2"; has_standard=true language+=("-std=$2") ;;
    --offload-arch=* | --cuda-gpu-arch=*) add_architectures "$1" ;;
    -x*)
      [ "$1${2-}" = -xcuda ] || fail "$*: the suffix says what a source is; only -x cuda is accepted, for all sources of the command"
      all_cuda=true
      ;;
    -D | -U) [[ $2 != CUDAX_* ]] || language+=("$@") ;; # the modules ask for no other macro
    -DCUDAX_* | -UCUDAX_* | -target | --sysroot | -isysroot) language+=("$@") ;;
    -g0 | -gline-directives-only) debug=false ;;
    -g*) debug=true ;;
    -static | --static | -static-pie) static=$1 ;;
    -l*) note_library "$1${2-}" ;;
    -L*) folders+=("${1#-L}${2-}") ;;
    -fuse-ld=* | -fprebuilt-module-path=* | -fmodule-file=* | -fdiagnostics-* | -fcolor-diagnostics | -fvisibility* | \
      -fno-visibility-inlines-hidden | -fmodule-output*) ;;
    -mllvm) ;;
    -f* | -m* | -Ofast | -pthread | -stdlib=* | --target=* | --sysroot=*) language+=("$1") ;;
  esac
}

note_library() { # -lNAME
  case $1 in
    -lcudax_sync_process) shares=true ;;
    -l:*) has_objects=true libraries+=("${1#-l:}") ;;
    *) has_objects=true libraries+=("lib${1#-l}.a") ;;
  esac
}

# keep_option OPTION [VALUE]: passes it to clang
keep_option() {
  case $1 in
    --config-file | --bmi-folder=* | -x*) rewritten=true; return ;; # this command's own
    -o* | --offload-arch=* | --cuda-gpu-arch=*) ;;
    -c | -S | -E | -fsyntax-only | --precompile | -fmodule-output* | -M* | -save-temps* | --save-temps* | \
      --cuda-host-only | --cuda-device-only)
      mode+=("$@")
      ;;
    *) options+=("$@") ;;
  esac
  words+=("$@")
}

# add_file NAME: classifies it by its suffix
add_file() {
  local kind=source
  case $1 in
    *.cu) has_cuda=true ;;
    *.cppm | *.ccm | *.cxxm | *.c++m) has_units=true ;;
    *.cpp | *.cc | *.cp | *.cxx | *.c++ | *.C | *.CC | *.CPP | *.CXX | *.c | *.ii | *.iim) has_plain=true ;;
    *) kind=other ;;
  esac
  case $kind/$1 in
    source/*) sources+=("$1") ;;
    */*.so | */*.so.* | */*.s | */*.S | */*.h | */*.hpp | */) ;;
    */*.a) has_objects=true archives+=("$1") ;;
    *) has_objects=true objects+=("$1") ;; # an object file, which may have any name and may contain device code
  esac
  file_kind[${#words[@]}]=$kind
  words+=("$1")
}

# add_names NAME...: what stands after --. clang would take what is added to its command for names, too, so the -- goes, and
# names that begin as an option or a response file does get a folder.
add_names() {
  local name
  rewritten=true
  for name; do
    case $name in
      -?* | @*) name=./$name ;;
    esac
    add_file "$name"
  done
}

read_arguments() {
  local i word option
  for ((i = 0; i < ${#expanded[@]}; ++i)); do
    word=${expanded[i]} option=("${expanded[i]}")
    case $word in
      --help) usage; exit 0 ;;
      --) add_names ${expanded[@]+"${expanded[@]:i+1}"}; return ;;
      -?*) ;;
      *) add_file "$word"; continue ;;
    esac
    if takes_value "$word"; then
      ((++i < ${#expanded[@]})) || fail "the last argument, $word, lacks its value"
      option+=("${expanded[i]}")
    fi
    note_option "${option[@]}"
    keep_option "${option[@]}"
  done
}

# Sets has_cuda and has_plain: what kind of sources the command compiles.
choose_kind() {
  if $all_cuda && ((${#sources[@]})); then
    has_cuda=true has_plain=false
  elif $has_units && ! $has_cuda; then
    has_plain=true
  fi
  if $has_cuda && $has_plain; then
    fail "CUDA and plain C++ sources in one command: their modules differ; compile them one by one with -c, then link"
  fi
  if $has_cuda && [ "$archive_has_cuda" != TRUE ]; then
    fail "the library was built without CUDA, so CUDA sources cannot use it; build it where a CUDA toolkit is found"
  fi
  if ! $links && [ -n "$output" ] && [ ${#sources[@]} -gt 1 ]; then
    fail "-o $output: the command compiles ${#sources[@]} sources without linking them; leave out -o, or compile them one by one"
  fi
}
