#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check: one family of PTX tests on one SM.
#
#   check.sh DIRECTORY SOURCE KIND SM PTX ORDERS SCOPES
#
# SOURCE is the .ptx.cu file, PTX what became of it. Its kernels are named NAME__ORDER_SCOPE. They are sorted into one
# file for each case (order and scope), as NAME, and FileCheck compares each file with the comments in SOURCE. What a case
# must become follows from KIND: below is a second description of the mapping of arch/README.md. KIND is load, store, modify
# or compare for atomics, whose thread scope is plain accesses; contended and contended_store for those that lanes combine;
# and meeting for primitives, whose thread scope is the block.
#
# ORDERS and SCOPES are lists; an order may be success/failure.
set -eu
. "$(dirname "$0")/common.sh"

directory=$1 file=$2 kind=$3 sm=$4 ptx=$5 orders=$6 scopes=$7
number=$(generation "$sm")
subject="$(basename "$file") on sm_$sm"

rm -rf "$directory"
mkdir -p "$directory"
# Many kernels are the same but for the case in their names and the function's number in their labels. What is the same is
# compared and assembled once.
awk -v directory="$directory" "$repeats_poll"'
  /^\.visible \.entry / {
    suffix = $3
    sub(/\(.*/, "", suffix)
    sub(/^.*__/, "__", suffix)
    out = directory "/" substr(suffix, 3) ".ptx"
    kernel = text = ""
  }
  {
    line = $0
    gsub(suffix, "", line)
    gsub(/[$]L__BB[0-9]+_/, "$L__BB_", line)
    # The defaults of PTX, which arch/sm_70/atom_add.ll relies on.
    if (line ~ /[ \t]atom[.](global[.]|shared[.])?add[.]u(32|64)/) sub(/atom[.]/, "atom.relaxed.gpu.", line)
    if (!repeats_poll($0)) print line > (out ? out : directory "/outside")
    if (out) {
      kernel = kernel $0 "\n"
      text = text line "\n"
    } else print > (directory "/distinct.ptx")
  }
  /^}/ {
    if (out && !(text in seen)) {
      printf "%s", kernel > (directory "/distinct.ptx")
      seen[text]
    }
    out = ""
    suffix = "__none"
  }
' "$ptx"

check_qualifiers "$ptx" "$sm"
# Code that prints and ends the kernel, in machine::stop and in entries without an instruction, may remain a function.
if awk '
  /^\.func / { name = $0 }
  /\.entry / { name = "" }
  /^[ \t]*(@!?%p[0-9]+ )?ret;/ && name { print name; found = 1; name = "" }
  /^}/ { name = "" }
  END { exit !found }' "$ptx" >&2; then fail "a function was not inlined"; fi

# A misspelt prefix would check nothing.
if sed '1,/^import/d' "$file" | grep -E '^// *[A-Za-z0-9_]+(-[A-Z]+)?:' |
   grep -vE '// (CHECK|ATOMIC|ATOMIC70|ATOMIC90|LOCAL|PLAIN|SC|ACQUIRES?|FIRST|FENCE|SM(70|80|90A?|100A?|120A)|FROM(80|90|100)|WIDE|NARROW|DEVICE|SYSTEM)(-LABEL|-NEXT|-NOT|-DAG|-EMPTY|-COUNT-[0-9]+)?:' >&2; then
  fail "a prefix that no case has"
fi
labels=$(grep -c '^// CHECK-LABEL:' "$file")

# Sets what the order must become: sem for this kind of operation, rmw for a read-modify-write in its place, peers for
# one that a lane performs for others, alone for a reduction of a lane by itself, fence.
expect() {
  acquires= releases= sequential=
  case /$1/ in */seq_cst/*) sequential=yes ;; esac
  case /$1/ in */consume/* | */acquire/* | /acq_rel/*) acquires=yes ;; esac
  case /$1/ in /release/* | /acq_rel/*) releases=yes ;; esac

  case $sequential,$acquires,$releases in
    yes,*) rmw=.acquire fence=fence.sc ;;
    ,yes,yes) rmw=.acq_rel fence=fence.acq_rel ;;
    ,yes,) rmw=.acquire fence=fence.acquire ;;
    ,,yes) rmw=.release fence=fence.release ;;
    ,,) rmw=.relaxed fence= ;;
  esac
  sem=$rmw alone=$rmw
  peers=$rmw # one lane's operation for others, which have executed the fence of seq_cst
  if [ "$sequential" ]; then peers=.acq_rel; fi
  case $kind,$sequential in
    store,yes) sem=.relaxed ;;
    contended,yes) sem=$peers ;;
    contended_store,yes) sem=.release alone=.relaxed ;;
  esac
  if [ "$number" -lt 90 ]; then
    case $fence in fence.acquire | fence.release) fence=fence.acq_rel ;; esac
  fi
}

# The prefixes of the generation.
generation=SM$(generation_with_letter "$sm" | tr a A)
for from in 80 90 100; do
  if [ "$number" -ge $from ]; then generation=$generation,FROM$from; fi
done

cases=0 kernels=0 checked=
for order in $orders; do
  expect "$order"
  for scope in $scopes; do
    case $scope,$number in
      system,*) s=.sys ;;
      device,*) s=.gpu ;;
      cluster,[78]?) s=.cta ;;
      cluster,*) s=.cluster ;;
      block,*) s=.cta ;;
      thread,*) if [ $kind = meeting ]; then s=.cta; else s=; fi ;; # for what several threads use: the block
    esac
    prefixes=CHECK,$generation
    case $scope in system | device) prefixes=$prefixes,WIDE ;; *) prefixes=$prefixes,NARROW ;; esac
    case $scope in
      device) prefixes=$prefixes,DEVICE ;;
      system) prefixes=$prefixes,SYSTEM ;;
    esac
    if [ "$s" ]; then
      prefixes=$prefixes,ATOMIC
      if [ "$number" -lt 90 ]; then prefixes=$prefixes,ATOMIC70; else prefixes=$prefixes,ATOMIC90; fi
      if [ "$number" -ne 90 ]; then prefixes=$prefixes,LOCAL; fi
      if [ "$sequential" ]; then prefixes=$prefixes,SC; fi
      if [ "$sequential$acquires" ]; then prefixes=$prefixes,ACQUIRES; fi
      if [ "$acquires" ]; then prefixes=$prefixes,ACQUIRE; fi
      if [ "$sequential" ] || { [ "$acquires" ] && [ "$number" -lt 90 ]; }; then prefixes=$prefixes,FIRST; fi
      if [ "$fence" ]; then prefixes=$prefixes,FENCE; fi
    else
      prefixes=$prefixes,PLAIN
    fi

    input=$directory/$(echo "$order" | tr / _)_$scope.ptx
    if ! [ -e "$input" ]; then
      fail "there is no kernel for order $order at $scope scope"
      continue
    fi
    cases=$((cases + 1))
    count=$(grep -c '\.entry' "$input")
    kernels=$((kernels + count))
    [ $count -eq $labels ] || fail "$count kernels of order $order at $scope scope, but $labels CHECK-LABEL"
    known="$prefixes $sem $rmw $peers $s $fence $(sha256sum <"$input")"
    case $checked in *"|$known|"*) continue ;; esac
    checked="$checked|$known|"
    filecheck "$file" "$input" $prefixes -DSEM=$sem -DRMW=$rmw -DPEERS=$peers -DALONE=$alone -DS=$s -DFENCE="$fence$s" ||
      fail "order $order at $scope scope is not as the comments say (prefixes $prefixes; SEM=$sem, S=$s)"
  done
done

check_assembly "$directory/distinct.ptx" "$sm" "$directory/cubin"
finish "$kernels kernels in $cases cases"
