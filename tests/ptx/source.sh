#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# source: what the PTX of a kernel does not show: each asm statement of arch/ is volatile, has a "memory" clobber, and has
# above it its PTX syntax, minimum PTX ISA and minimum SM, which is not newer than the SM of its folder. Builtins and the
# declarations of functions in LLVM IR (__asm__ gives their names) have these lines, too.
#
#   source.sh
set -eu
. "$(dirname "$0")/common.sh"

subject="arch/"
cd "$arch"
# A statement is one line.
awk '
  function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
  FNR == 1 { folder = FILENAME; sub(/\/.*/, "", folder); sub(/sm_/, "", folder); isa = "" }
  /^}/ || /^$/ { isa = "" }
  /^ *\/\/.*PTX ISA [0-9]+\.[0-9]+, sm_[0-9]+a?/ { isa = $0; sub(/.*sm_/, "", isa); next }
  /^ *\/\// { next }
  /(^|[^a-z_])asm([^a-z_]|$)/ || /__nvvm_|__asm__/ {
    count++
    if ($0 !~ /__nvvm_|__asm__/) {
      if ($0 !~ /asm volatile\(/) complain("an asm that is not volatile")
      if ($0 !~ /: "memory"\);/) complain("an asm without a \"memory\" clobber")
    }
    if (isa == "") complain("no line with the PTX syntax, PTX ISA and SM above this instruction")
    else if (isa + 0 > folder + 0 || (isa ~ /a$/ && folder !~ /a$/)) complain("needs sm_" isa ", but the folder is for sm_" folder)
  }
  END { print count + 0 " instructions"; exit bad }
' sm_*/*.hpp || fail "see arch/README.md, \"How to add an instruction\""
if grep -nE '(^|[^a-z_])asm([^a-z_]|$)|__nvvm_|__asm__' *.hpp *.cu | grep -v '//' >&2; then fail "an instruction outside of sm_*/"; fi
finish "every asm statement says what it needs and orders memory"
