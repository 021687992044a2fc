#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# consumer: programs built with the compiler's plain commands against the archive.
#
#   consumer.sh folds|refused DIRECTORY ARCHIVE BMIS CUDART SM...
#
# folds: the kernel of consumer.cu is one instruction on each SM, and the program also links without device LTO.
# refused: a 16-byte read-modify-write links for sm_90 and later; for earlier SMs the linker names the missing symbol.
# CUDART is the folder of the CUDA runtime. Tools besides those of common.sh: FLAGS (of every CUDA compilation), PASSES (of the
# device link), CUDA_PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

what=$1 directory=$2 archive=$3 bmis=$4 cudart=$5
shift 5
subject="a consumer's build"

rm -rf "$directory"
mkdir -p "$directory"
cd "$directory"

# compile SOURCE OBJECT OPTION...
compile() {
  from=$1 to=$2
  shift 2
  "$CXX" -x cuda $FLAGS -Xarch_host "-fprebuilt-module-path=$bmis/host" -Xarch_device "-fprebuilt-module-path=$bmis/device" \
    "$@" -c "$from" -o "$to"
}
# link OBJECT PROGRAM OPTION...
link() {
  from=$1 to=$2
  shift 2
  "$CXX" --offload-link "--cuda-path=$CUDA_PATH" -Xlinker "--device-compiler=nvptx64-nvidia-cuda=--cuda-path=$CUDA_PATH" "$@" "$from" "$archive" "-L$cudart" -lcudart -o "$to"
}

if [ "$what" = folds ]; then
  for sm; do architectures="${architectures-} --cuda-gpu-arch=sm_$sm"; done
  compile "$here/consumer.cu" consumer.o $architectures -foffload-lto
  link consumer.o consumer -foffload-lto -Xoffload-linker "--lto-newpm-passes=$PASSES" -save-temps || fail "the program does not link"
  for sm; do
    ptx=consumer.nvptx64.sm_$sm.s
    filecheck "$here/consumer.cu" $ptx CHECK || fail "the kernel for sm_$sm is not one instruction"
    check_qualifiers $ptx "$sm"
  done
  compile "$here/consumer.cu" calls.o $architectures -fno-offload-lto
  link calls.o calls || fail "the program does not link without device LTO"
  finish "one instruction on $*, and links without device LTO"
else
  symbol=cudax_sync_error_16_byte_atomic_read_modify_write_needs_sm_90_or_later
  for sm; do
    compile "$here/refused.cu" plain.o "--cuda-gpu-arch=sm_$sm" -foffload-lto
    link plain.o plain -foffload-lto || fail "16-byte loads and stores do not link for sm_$sm"
    for lto in -foffload-lto -fno-offload-lto; do
      compile "$here/refused.cu" wide.o "--cuda-gpu-arch=sm_$sm" $lto -DEXCHANGE
      result=0
      link wide.o wide $lto 2>log || result=$?
      if [ "$(generation "$sm")" -ge 90 ]; then
        if [ $result -ne 0 ]; then cat log >&2; fail "a 16-byte exchange does not link for sm_$sm ($lto)"; fi
      elif [ $result -eq 0 ]; then
        fail "a 16-byte exchange links for sm_$sm ($lto)"
      elif ! grep -q $symbol log; then
        cat log >&2
        fail "the linker does not name $symbol for sm_$sm ($lto)"
      fi
    done
  done
  finish "a 16-byte exchange does not link before sm_90, on $*"
fi
