# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of cudax++
#
# own_units: the module units of the program: their order, their BMIs, and their object files.

# --- the program's module units -----------------------------------------------------------------------------------------

own_units=()             # those among the sources, in their order
declare -A module_of=()  # UNIT -> MODULE or MODULE:PARTITION
declare -A kind_of=()    # UNIT -> interface or implementation
declare -A imports_of=() # UNIT -> the names
declare -A object_of=()  # UNIT -> its object file; empty: no other command takes it
with_bmi=()              # the units that have a BMI, each after those that it imports
private=""               # the folder of what is removed at the end: object files, and BMIs without --bmi-folder
unit_flags=()

find_units() {
  local source text words
  for source in ${sources[@]+"${sources[@]}"}; do
    [[ -f $source && -r $source ]] || continue # clang reports it
    text=$(awk -f "$root/tools/cmake/module_unit.awk" <"$source")
    if [[ $text ]]; then
      mapfile -t words <<<"$text"
      own_units+=("$source")
      module_of[$source]=${words[0]} kind_of[$source]=${words[1]} imports_of[$source]=${words[*]:2}
    elif [[ $source == *.@(cppm|ccm|cxxm|c++m) ]]; then
      fail "$source declares no module; begin it with 'export module NAME;', after comments, preprocessor directives and 'module;' alone"
    fi
  done
}

# waits UNIT: whether the unit imports one of `pending`
waits() {
  local name
  for name in ${imports_of[$1]}; do
    [[ ! ${pending[$name]-} || ${pending[$name]} == "$1" ]] || return 0
  done
  return 1
}

order_units() {
  local unit name left=() later
  local -A pending=() # MODULE -> UNIT
  for unit in ${own_units[@]+"${own_units[@]}"}; do
    [[ ${kind_of[$unit]} == interface ]] || continue
    name=${module_of[$unit]}
    [[ ! ${pending[$name]-} ]] || fail "both $unit and ${pending[$name]} declare the module $name; rename one of the modules"
    pending[$name]=$unit
    left+=("$unit")
  done
  while ((${#left[@]})); do
    later=()
    for unit in "${left[@]}"; do
      if waits "$unit"; then
        later+=("$unit")
      else
        with_bmi+=("$unit")
        unset "pending[${module_of[$unit]}]"
      fi
    done
    ((${#later[@]} < ${#left[@]})) || fail "these module units import each other: ${left[*]}; move what both need to a third module"
    left=(${later[@]+"${later[@]}"})
  done
}

# compile_unit OPTION...: compiles a module unit with the options of the command
compile_unit() {
  "$cxx" "${before[@]}" ${options[@]+"${options[@]}"} ${after[@]+"${after[@]}"} -Qunused-arguments \
    ${unit_flags[@]+"${unit_flags[@]}"} "$@"
}

# build_bmi UNIT: builds its BMI for each side, the device's once for each SM, because its code may depend on the SM
build_bmi() {
  local unit=$1 name=${module_of[$1]/:/-} sm pid pids=() failed=false
  # -w: the compilation of the unit warns. Not a reduced BMI: from one that contains CUDA's headers, clang 22 takes that
  # there is no __cudaPushCallConfiguration, and rejects the launches of importers.
  local interface=(-w -Xclang -emit-module-interface)
  if ! $has_cuda; then
    compile_unit "${interface[@]}" --precompile -x c++-module "$unit" -o "$bmi_folder/plain/$name.pcm" || exit 2
    return
  fi
  compile_unit "${interface[@]}" -S --cuda-host-only "$unit" -o "$bmi_folder/host/$name.pcm" || exit 2
  for sm in "${architectures[@]}"; do
    compile_unit "${interface[@]}" -S --cuda-device-only "--offload-arch=$sm" "$unit" -o "$bmi_folder/$sm/$name.pcm" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || failed=true; done
  ! $failed || exit 2
}

# Creates the folders of the BMIs, which no other user may change, and sets the options for them: plain/, or host/ and one
# folder for each SM.
open_bmi_folder() {
  local side sides=(plain) advice="choose a folder of your own with --bmi-folder"
  private=$(mktemp -d) || fail "cannot write in ${TMPDIR:-/tmp}; set TMPDIR to a writable folder"
  temporaries+=("$private")
  : "${bmi_folder:=$private}"
  ! $has_cuda || sides=("${architectures[@]}" host)
  for side in "${sides[@]}"; do
    [[ $side == @(plain|host|sm_*) ]] || fail "--offload-arch=$side: module units need the names of the SMs, such as sm_90"
    mkdir -p -- "$bmi_folder/$side" || fail "cannot write in $bmi_folder; choose another folder with --bmi-folder"
    require_private "$advice" "$bmi_folder"
    require_own "$bmi_folder/$side" "delete $bmi_folder/$side, or $advice"
    ! $has_cuda || before+=("-Xarch_$side")
    before+=("-fprebuilt-module-path=$bmi_folder/$side")
  done
  ! $has_cuda || unit_flags=(-x cuda -nocudainc -isystem "$cuda/include"
    -include "$root/modules/include/cudax/cuda_keywords.hpp")
}

# compile_cuda_unit UNIT: makes its object file, or what else the command asks for, and sets object_of
compile_cuda_unit() {
  local unit=$1 object=""
  if $links; then
    object=$private/${#object_of[@]}.o
    compile_unit "${architectures[@]/#/--offload-arch=}" -c "$unit" -o "$object" || exit 2
  else
    compile_unit "${architectures[@]/#/--offload-arch=}" "${mode[@]}" "$unit" ${output:+-o "$output"} || exit 2
  fi
  object_of[$unit]=$object
  rewritten=true
}

compile_units() {
  local unit mask
  find_units
  ((${#own_units[@]})) || [[ $bmi_folder ]] || return 0
  mask=$(umask)
  umask "$(printf '%04o' $((mask | 022)))" # only this user may change the BMIs
  open_bmi_folder
  order_units
  if [[ $bmi_folder != "$private" || ${#sources[@]} -gt 1 ]]; then # there may be importers
    for unit in ${with_bmi[@]+"${with_bmi[@]}"}; do build_bmi "$unit"; done
  fi
  umask "$mask"
  ! $has_cuda || for unit in ${own_units[@]+"${own_units[@]}"}; do compile_cuda_unit "$unit"; done
}
