# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of cudax++
#
# library_bmis: the BMIs of the library for the flags of a command, in a cache that no other user can change.

# --- the BMIs -------------------------------------------------------------------------------------------------------

cuda_flags=(-fgpu-rdc -foffload-lto "--cuda-path=$cuda" -Wno-unknown-cuda-version)

# build_side DIRECTORY FLAGS...: builds all units, in the order of their dependencies
build_side() {
  local out=$1 unit name
  shift
  mkdir -p "$out"
  for unit in "${units[@]}"; do
    name=$(sed -n 's/^export module \([a-z_.:]*\);.*/\1/p' "$root/modules/$unit.cppm") # MODULE or MODULE:PARTITION
    name=${name/:/-}
    "$cxx" "$@" "${language[@]}" -w "-fprebuilt-module-path=$out" "$root/modules/$unit.cppm" -o "$out/$name.pcm" ||
      fail "the module's unit $name does not compile with these flags: ${language[*]}"
  done
}

# build_bmis KIND: builds the BMIs of this kind in `folder`
build_bmis() {
  local kind=$1 fresh side pid pids=() failed=false
  fresh=$(mktemp -d "$folder.XXXXXX" 2>/dev/null) ||
    fail "cannot write in $cache; set XDG_CACHE_HOME to a writable folder"
  temporaries+=("$fresh")
  chmod "$(printf '%04o' $((0777 & ~$(umask))))" "$fresh" # mktemp creates a private folder
  if [ "$kind" = plain ]; then
    build_side "$fresh/plain" --precompile -Xclang -emit-reduced-module-interface -x c++-module
  else
    for side in host device; do
      build_side "$fresh/$side" -x cuda "${cuda_flags[@]}" -nocudainc "--cuda-$side-only" --cuda-gpu-arch=sm_90 -S \
        -Xclang -emit-reduced-module-interface &
      pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || failed=true; done # for both, before their output is removed
    ! $failed || exit 2
  fi
  # Of two commands that build the same BMIs, the later one removes its own.
  mv -T "$fresh" "$folder" 2>/dev/null || [ -d "$folder" ] || fail "cannot write $folder; set XDG_CACHE_HOME to a writable folder"
  rm -rf -- "$fresh"
}

# require_own FILE ADVICE [FIND-OPTION...]: fails if another user than root could have changed the file, or what is in the
# folder
require_own() {
  local suspect
  [[ -r $1 && -x $1 ]] || fail "cannot read $1, which another user created; $2"
  suspect=$(find -H "$1" "${@:3}" \( ! -user "$EUID" ! -user 0 -o -perm /022 \) -print -quit)
  [[ ! $suspect ]] ||
    fail "$(owner_and_mode "$suspect"), could have been changed by another user, and BMIs become part of programs; $2"
}

owner_and_mode() { stat -L -c '%n, which belongs to %U and has the mode %a' -- "$1"; }

# require_private ADVICE FOLDER...: fails if another user than root owns one of the folders, or if every user may rename what
# is there. A group may: on many machines each user has a group of their own, which may write in the home. The owner of /
# counts as root, because a container may have no user 0 there.
require_private() {
  local root_user suspect
  root_user=$(stat -c %u /)
  suspect=$(find -H "${@:2}" -maxdepth 0 \( ! -user "$EUID" ! -user 0 ! -user "$root_user" -o -perm -0002 ! -perm -1000 \) \
    -print -quit)
  [[ ! $suspect ]] ||
    fail "another user can replace what is in $(owner_and_mode "$suspect"), and BMIs become part of programs; $1"
}

# Creates the cache, or checks that it is this user's, and that no other one can replace it or a folder above it.
open_cache() {
  local path above=()
  mkdir -p "$cache" 2>/dev/null || fail "cannot write in $cache; set XDG_CACHE_HOME to a writable folder"
  require_own "$cache" "$cache_advice" -maxdepth 0
  for path in "$(realpath -s -- "$cache")" "$(realpath -- "$cache")"; do # as named, and without symbolic links
    while [[ $path != / ]]; do
      path=${path%/*}
      above+=("${path:=/}")
    done
  done
  require_private "set XDG_CACHE_HOME to a folder of your own" "${above[@]}"
}

# bmis KIND: sets `folder` to the BMIs of this kind for the language flags, and builds them if they are not cached
bmis() {
  local kind=$1 key mask
  # "$root": a BMI names its source files, and clang opens them for some messages.
  key=$({ "$cxx" --version; printf '%s\n' "$kind" "$cuda" "$root" "${language[@]}"; find "$root/modules" "$root/arch" "$root/runtime" \( -name '*.cppm' -o -name '*.hpp' -o -name '*.def' \) -print0 | LC_ALL=C sort -z | xargs -0 cat; } | sha256sum)
  folder=$cache/$kind-${key:0:16}
  mask=$(umask)
  umask "$(printf '%04o' $((mask | 022)))" # only this user may change the BMIs
  open_cache
  [ -d "$folder" ] || build_bmis "$kind"
  umask "$mask"
  require_own "$folder" "$cache_advice"
}
