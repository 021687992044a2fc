# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of cudax++
#
# link_flags: what a link gets beside the arguments of the command.

# --- the flags of a link ------------------------------------------------------------------------------------------------

# Sets `extracted` to the link options for the SMs of the device code in the archives of the command line. The device
# link drops an archive's kernels for an SM for which no object has device code, and every launch would fail. Other SMs
# are not passed: the link would make images without kernels for them.
note_archives() {
  local name sm
  extracted=()
  for name in ${archives[@]+"${archives[@]}"}; do
    has_device_code "$name" || continue
    while read -r sm; do
      [[ "$archive_architectures " != *" $sm "* ]] || extracted+=(-Xlinker "--should-extract=$sm")
    done < <(LC_ALL=C grep -aoE 'sm_[0-9]+[af]?' -- "$name" | sort -u)
  done
}

# With the shared library: the archive that calls it stands before the archive that it replaces in part, and the library
# stands after it, too: some linkers omit a library that nothing before it needs.
link_shared() {
  local library
  $shares || return 0
  [ -z "$static" ] || fail "$static: a static program cannot load libcudax_sync_process.so; leave out one of $static and -lcudax_sync_process"
  library=$(cd "${archive%/*}" && pwd)
  after+=("-L$library" "-Wl,--undefined=cudax_sync_forward,$library/libcudax_sync_forward.a"
    -lcudax_sync_process "-Wl,-rpath,$library")
}

device_link_flags() {
  $has_cuda || before+=(--offload-link -foffload-lto "--cuda-path=$cuda" -Wno-unknown-cuda-version)
  # The device link starts another clang, which does not inherit --cuda-path.
  before+=(-Xlinker "--device-compiler=nvptx64-nvidia-cuda=--cuda-path=$cuda"
    -Xlinker "--cuda-path=$tools" -Xlinker "--device-linker=nvptx64-nvidia-cuda=--cuda-path=$tools")
  before+=(-Xoffload-linker "--lto-newpm-passes=$device_passes")
  note_archives
  before+=(${extracted[@]+"${extracted[@]}"})
  # The device link gets the -g, too, and would then not optimise.
  ! $debug || after+=(-Xlinker "--device-compiler=nvptx64-nvidia-cuda=-gline-directives-only")
}

link_flags() {
  local library
  if [ "$archive_has_cuda" = TRUE ]; then
    # The objects and archives that a plain C++ program links may also contain device code.
    if $has_cuda || $has_objects || ! $has_plain; then device_link_flags; fi
    export CUDAX_CUDA=$cuda # for the tools
    link_shared
    library=$cuda/lib64
    [ -e "$library/libcudart.so" ] || library=$cuda/lib
    after+=("$archive" "-L$library" -lcudart "-Wl,-rpath,$library")
  else
    link_shared
    after+=("$archive")
  fi
  after+=(-lpthread) # not -pthread, which is a language flag
}
