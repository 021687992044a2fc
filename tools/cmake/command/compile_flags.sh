# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of cudax++
#
# compile_flags: what a compilation gets beside the arguments of the command.

# --- the flags of a compilation ---------------------------------------------------------------------------------------

before=() after=() # stand before and after the options of the command
source_flags=()    # of the sources that are no module units

compile_flags() {
  before=(-isystem "$root/modules/include") # headers for programs, such as cudax/as_cuda.hpp
  $has_standard || before+=(-std=c++20)
  if $has_cuda; then
    bmis cuda
    # The device link drops hidden kernels, and every launch of one fails (clang 22.1). Kernels are hidden by an
    # attribute, as in CUB and Thrust, and by options.
    before+=(-Xarch_device '-D__visibility__(which)=')
    after+=(-Xarch_device -fvisibility=default -Xarch_device -fno-visibility-inlines-hidden)
    before+=("${cuda_flags[@]}" -isystem "$cuda/include/cccl"
      -Xarch_host "-fprebuilt-module-path=$folder/host" -Xarch_device "-fprebuilt-module-path=$folder/device")
    ! $debug || after+=(-Xarch_device -gline-directives-only)
    source_flags=(-include "$root/modules/include/cudax/cuda.hpp")
    if ((${#architectures[@]} == 0)); then
      architectures=("${default_architectures[@]}")
      source_flags+=("${architectures[@]/#/--offload-arch=}")
    fi
  elif $has_plain; then
    bmis plain
    before+=("-fprebuilt-module-path=$folder/plain")
  fi
}
