#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# consumer: programs built with the compiler's plain commands against the archive.
#
#   consumer.sh folds|refused|links DIRECTORY ARCHIVE BMIS CUDART SM...
#
# folds: the kernel of consumer.cu is one instruction on each SM, and the program also links without device LTO. With -O1
# each copy of copies_at_O1.cu is one instruction, if sm_90 is among them.
# refused: a 16-byte read-modify-write links for sm_90 and later, a change of the number of registers for SMs with a letter,
# an arrival of tensor cores for sm_100a and sm_103a; for others the linker names the missing symbol. So it does where the
# device link sees that an object is in global or local memory and must be in shared memory (not_shared.cu).
# links: the tools of the device link (tools/cmake/cuda_tool.in) compile a whole program as such, and anything else as
# relocatable code; they do not warn, report errors as ptxas does, and leave no files.
# CUDART is the folder of the CUDA runtime. Tools besides those of common.sh: FLAGS (of every CUDA compilation), PASSES
# (of the device link), CUDA_PATH; for links: TOOLS (the folder of the tools of the device link), NVDISASM.
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
  case " $* " in *" 90 "*)
    compile "$here/copies_at_O1.cu" copies.o --cuda-gpu-arch=sm_90 -O1 -foffload-lto
    link copies.o copies -foffload-lto -O1 -Xoffload-linker "--lto-newpm-passes=$PASSES" -save-temps >copies.log 2>&1 ||
      fail "copies_at_O1.cu does not link: $(cat copies.log)"
    filecheck "$here/copies_at_O1.cu" copies.nvptx64.sm_90.s CHECK || fail "a copy is not one instruction with -O1"
    ;;
  esac
  finish "one instruction on $*, with -O1 for copies, and links without device LTO"
elif [ "$what" = links ]; then
  sm=$1
  mkdir temporary
  TMPDIR=$PWD/temporary
  export TMPDIR
  tools=$(dirname "$TOOLS")
  tools="-Xlinker --cuda-path=$tools -Xlinker --device-linker=nvptx64-nvidia-cuda=--cuda-path=$tools"
  for part in WHOLE OTHER CALLS LAUNCHES REDUCES REJECTED; do
    compile "$here/linked.cu" $part.o "--cuda-gpu-arch=sm_$sm" -foffload-lto -D$part
  done
  compile "$here/linked.cu" machine_code.o "--cuda-gpu-arch=sm_$sm" -fno-offload-lto -DOTHER

  # links PROGRAM KIND OBJECT OPTION...: the objects link without a warning. The machine code of the kernel `release`
  # contains the release, and is of this kind: whole (program) or relocatable.
  links() {
    program=$1 kind=$2 object=$3
    shift 3
    if ! link "$object" "$program" -foffload-lto $tools -save-temps=cwd "$@" >"$program.log" 2>&1; then
      cat "$program.log" >&2
      fail "$program does not link"
      return
    fi
    if grep -E 'nvlink|ptxas|fatbinary' "$program.log" >&2; then fail "$program: the device link warns"; fi
    "$NVDISASM" -c "$program.nvptx64.sm_$sm.img" >"$program.sass"
    awk '/^\.text\./ { inside = $1 == ".text.release:" } inside' "$program.sass" >kernel.sass
    grep -q 'MEMBAR.ALL.GPU' kernel.sass || fail "$program: the kernel has no release"
    found=whole
    if grep -qE 'MEMBAR.ALL.CTA|LDS' kernel.sass; then found=relocatable; fi
    [ $found = "$kind" ] || fail "$program: the kernel is of the kind '$found', not '$kind'"
  }
  links "a whole program" whole WHOLE.o
  links two_objects whole CALLS.o OTHER.o # one PTX
  links with_machine_code relocatable CALLS.o machine_code.o
  grep -q '^\.text\.other:' with_machine_code.sass || fail "with_machine_code: the code of the other object is missing"
  # CUDA's device runtime may be linked with a whole program.
  for folder in lib64 lib; do
    runtime=$CUDA_PATH/$folder/libcudadevrt.a
    [ ! -e "$runtime" ] || break
  done
  links launches whole LAUNCHES.o -Xoffload-linker "$runtime"
  grep -q '^\.text\..*cudaCDP2LaunchDevice' launches.sass || fail "launches: the device runtime is missing"

  # Bulk reductions in a function keep their type in every kernel that calls it.
  link REDUCES.o reduces -foffload-lto $tools -save-temps=cwd -Xoffload-linker -mllvm -Xoffload-linker -inline-threshold=0 ||
    fail "reduces does not link"
  "$NVDISASM" -c "reduces.nvptx64.sm_$sm.img" >reduces.sass
  grep -q '^\.text\.reduce:' reduces.sass || fail "reduces: the function is inlined, so this does not test it"
  # The same from a file whose name awk would take for an assignment.
  cp "reduces.nvptx64.sm_$sm.s" reduces=.s
  "$TOOLS/ptxas" -c -arch "sm_$sm" reduces=.s -o named.cubin </dev/null
  "$NVDISASM" -c named.cubin >>reduces.sass
  if grep 'UBLKRED' reduces.sass | grep -v 'UBLKRED\.G\.S\.MIN\.S32' >&2; then fail "reduces: a bulk reduction has another type"; fi
  grep -q 'UBLKRED' reduces.sass || fail "reduces: there is no bulk reduction"

  # The tools of the toolkit report the same.
  for how in "" "$tools"; do
    for object in REJECTED.o CALLS.o; do # ptxas fails; nvlink fails, because a function is missing
      result=0
      link $object rejected -foffload-lto $how 2>log || result=$?
      echo "$result" >>log
      sed -E 's/(sm_[0-9]+)-[-0-9a-f]*/\1/g' log >>"errors${how:+.tools}"
    done
  done
  grep -q 'ptxas.*no_such_instruction' errors.tools || fail "ptxas accepts an instruction that does not exist"
  diff errors errors.tools >&2 || fail "the tools do not report what those of the toolkit report"
  left=$(find . -name '*.ptx' -o -name '*.ptxas' -o -name '*.libcudadevrt.o' -o -path './temporary/tmp.*')
  [ ! "$left" ] || fail "the tools leave" $left

  # The link's files are in a folder where another user may put others, with names that follow from theirs. Those are not
  # written: here they are links.
  mkdir -p shared/theirs
  for name in cubin.ptx cubin.ptxas image.ptx image.ptxas image.libcudadevrt.o; do
    echo theirs >"shared/theirs/$name"
    ln -s "theirs/$name" "shared/step.$name"
  done
  ptx=two_objects.nvptx64.sm_$sm.s
  "$TOOLS/ptxas" -c -arch "sm_$sm" "$ptx" -o shared/step.cubin
  "$TOOLS/nvlink" -arch "sm_$sm" shared/step.cubin -o shared/step.image
  "$TOOLS/fatbinary" -64 --create shared/fatbin "--image3=kind=elf,sm=$sm,file=shared/step.image"
  if grep -Lax theirs shared/theirs/* | grep . >&2; then fail "the tools write through another user's links"; fi
  # They are not used: here they are PTX, and arguments of ptxas that write a file.
  for name in other second; do
    printf '.version 8.0\n.target sm_%s\n.address_size 64\n.visible .func %s() { ret; }\n' "$sm" $name >$name.ptx
    "$CUDA_PATH/bin/ptxas" -c -arch "sm_$sm" $name.ptx -o shared/$name.cubin
    cp $name.ptx shared/$name.cubin.ptx
    printf '%s\0' -arch "sm_$sm" $name.ptx -o shared/executed >shared/$name.cubin.ptxas
  done
  "$TOOLS/nvlink" -arch "sm_$sm" shared/other.cubin shared/second.cubin -o shared/two.image
  [ ! -e shared/executed ] || fail "nvlink executes what another user has written"
  "$TOOLS/nvlink" -arch "sm_$sm" shared/other.cubin -o shared/one.image
  cp second.ptx shared/one.image.ptx
  "$TOOLS/fatbinary" -64 --create shared/fatbin "--image3=kind=elf,sm=$sm,file=shared/one.image"
  if grep -aq 'second' shared/fatbin; then fail "fatbinary embeds what another user has written"; fi
  finish "whole programs are compiled as such, and other objects are linked"
else
  for sm; do
    # What the SM has and what it lacks: options of refused.cu, and for each one that it lacks the name of the symbol.
    available="" refused="" symbols=""
    option() { # option HAS NAME SYMBOL
      if $1; then available="$available -D$2"; else refused="$refused -D$2" symbols="$symbols $3"; fi
    }
    wide=false letter=false core=false
    if [ "$(generation "$sm")" -ge 90 ]; then wide=true; fi
    case $sm in *a) letter=true ;; esac
    case $sm in 10[03]a) core=true ;; esac
    option $wide EXCHANGE cudax_sync_error_16_byte_atomic_read_modify_write_needs_sm_90_or_later
    option $letter REGISTERS cudax_sync_error_increase_registers_and_decrease_registers_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90
    option $letter TENSOR_MAP cudax_sync_error_replace_tensor_map_functions_need_an_SM_with_a_letter_compile_for_sm_90a_instead_of_sm_90
    option $core TENSOR_CORE cudax_sync_error_tensor_core_commit_and_fences_are_tcgen05_compile_for_sm_100a_or_sm_103a
    ltos='-foffload-lto -fno-offload-lto'
    if $letter; then ltos=-foffload-lto; fi # ptx.archive assembles what the other links
    for lto in $ltos; do
      compile "$here/refused.cu" available.o "--cuda-gpu-arch=sm_$sm" $lto $available
      if ! link available.o available $lto 2>log; then
        cat log >&2
        fail "a program with${available:- 16-byte loads and stores} does not link for sm_$sm ($lto)"
      fi
      [ "$refused" ] || continue
      compile "$here/refused.cu" refused.o "--cuda-gpu-arch=sm_$sm" $lto $refused
      if link refused.o refused $lto 2>log; then fail "a program with$refused links for sm_$sm ($lto)"; fi
      for symbol in $symbols; do
        grep -q "$symbol" log || { cat log >&2; fail "the linker does not name $symbol for sm_$sm ($lto)"; }
      done
    done
  done
  # What is in which memory does not depend on the SM: one is enough.
  for sm; do if [ "$(generation "$sm")" -ge 90 ]; then break; fi; done
  symbol=cudax_sync_error_this_object_must_be_in_shared_memory_not_in_global_or_local_memory
  compile "$here/not_shared.cu" not_shared.o "--cuda-gpu-arch=sm_$sm" -foffload-lto
  if link not_shared.o not_shared -foffload-lto -Xoffload-linker "--lto-newpm-passes=$PASSES" -save-temps 2>log; then
    fail "not_shared.cu links for sm_$sm"
  fi
  grep -q "$symbol" log || { cat log >&2; fail "the linker does not name $symbol for sm_$sm"; }
  awk -v symbol="$symbol" '
    BEGIN { refused = 0 }
    / \.entry / { kernel = $3 }
    $0 ~ "call.*" symbol { refused = 1 }
    /^}/ {
      if (!kernel) kernel = "a function"
      else kernels++
      if (refused != (kernel ~ /^wrong_/)) { print kernel, refused ? "is refused" : "is not refused"; bad = 1 }
      kernel = ""
      refused = 0
    }
    END { if (!kernels) print "there is no kernel"; exit bad || !kernels }' "not_shared.nvptx64.sm_$sm.s" >&2 ||
    fail "not_shared.cu: a kernel with a mistake links, or a right one does not"
  finish "a 16-byte exchange does not link before sm_90, objects in other than shared memory do not, registers do not move, maps do not change and tensor cores do not arrive without a letter, on $*"
fi
