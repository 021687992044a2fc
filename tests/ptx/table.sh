#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# table: the tables of arch/lowering.md are what the compiler emits.
#
#   table.sh LISTINGS DIRECTORY SM...
#
# LISTINGS is the folder of the families' PTX, FAMILY.sm_SM.ptx. The tables are made from it as DIRECTORY/tables.md and
# compared with the part of arch/lowering.md between the two comments "lowering tables". The SMs of a column must agree, and so
# must the scopes of a row. `.S` stands for the scope; state spaces are left out.
set -eu
. "$(dirname "$0")/common.sh"

document=$arch/lowering.md listings=$1 directory=$2
shift 2
plain= letters=
for sm; do
  case $sm in *a) letters="$letters $sm" ;; *) plain="$plain $sm" ;; esac
done
set -- $plain
subject="the tables of arch/lowering.md"
families="load store exchange compare_exchange fetch floating reduce subword half wide wide_compare fence wait"

rm -rf "$directory"
mkdir -p "$directory"

# One line for each kernel and case: COLUMN SM FAMILY KERNEL ORDER SCOPE | INSTRUCTIONS
for sm; do
  for family in $families; do
    listing=$listings/$family.sm_$sm.ptx
    if [ -e "$listing" ]; then
      awk -v sm="$sm" -v generation="$(generation "$sm")" -v family="$family" "$repeats_poll"'
        BEGIN {
          new = generation >= 90
          suffix["system"] = "sys"; suffix["device"] = "gpu"; suffix["block"] = "cta"
          suffix["cluster"] = new ? "cluster" : "cta"
        }
        /^\.visible \.entry / {
          name = $3; sub(/\(.*/, "", name)
          kernel = name; sub(/__.*/, "", kernel)
          order = name; sub(/^.*__/, "", order)
          scope = order; sub(/^.*_/, "", scope); sub(/_[a-z]*$/, "", order)
          text = ""
          next
        }
        repeats_poll($0) { next }
        { sub(/^[ \t]*(@!?%p[0-9]+ )?/, "") }
        /^(atom|red|fence|ld\.relaxed|ld\.acquire|st\.relaxed|st\.release)\./ {
          sub(/;$/, "", $1); sub(/\.global/, "", $1)
          if (scope in suffix) sub("\\." suffix[scope] "($|\\.)", ".S&", $1)
          sub(/\.S\.(sys|gpu|cta|cluster)/, ".S", $1)
          text = text (text ? "; " : "") $1
        }
        /^}/ && name { print (new ? "new" : "old"), sm, family, kernel, order, scope, "|" text; name = "" }
      ' "$listing"
    elif [ "${family#wide}" = "$family" ] && [ "$(generation "$sm")" -ne 80 ]; then # AS_BEFORE in CMakeLists.txt
      fail "$listing is missing; build the target ptx"
    fi
  done
done > "$directory/cases"
[ $failures -eq 0 ] || finish

awk -v directory="$directory" '
  function complain(what) { print what > "/dev/stderr"; bad = 1 }
  function code(text) { return text ? "`" text "`" : "none" }
  # What a case became in a column; none where the column has no such kernel.
  function cell(kernel, order, column) { return seen[kernel, order, column] ? code(emitted[kernel, order, column]) : "not there" }
  function row(label, kernel, order,   old, new) {
    old = cell(kernel, order, "old"); new = cell(kernel, order, "new")
    print "| " label " | " old " | " (new == old ? "the same" : new) " |"
  }
  function orders(label, kernel, list,   n, i, words, name) {
    n = split(list, words, " ")
    for (i = 1; i <= n; i++) {
      name = words[i]; sub(/\//, ", failure ", name)
      row(label " | " name, kernel, flat(words[i]))
    }
  }
  function flat(order) { sub(/\//, "_", order); return order }
  {
    text = $0; sub(/^[^|]*\|/, "", text)
    column = $1; kernel = $4; order = $5; scope = $6
    if (scope == "thread") {
      if (text != "") complain(kernel " " order " at thread scope is not plain on sm_" $2 ": " text)
      next
    }
    if (!((kernel, order, column) in seen)) {
      seen[kernel, order, column] = 1
      emitted[kernel, order, column] = text
      if (!((kernel, order) in named)) names[++count] = kernel " " order
      named[kernel, order] = 1
    } else if (emitted[kernel, order, column] != text) {
      complain(kernel " " order " at " scope " scope on sm_" $2 " differs: " text "; kernels of two families may not have one name")
    }
  }
  END {
    loads = "relaxed consume acquire seq_cst"
    stores = "relaxed release seq_cst"
    modifies = "relaxed consume acquire release acq_rel seq_cst"
    columns = " sm_70, sm_80 | sm_90, sm_100 |"
    print "| operation | order |" columns "\n|---|---|---|---|"
    orders("load", "load_u32", loads)
    orders("store", "store_u32", stores)
    orders("fetch_add", "fetch_add_u32", modifies)
    orders("exchange", "exchange_u32", modifies)
    orders("compare_exchange", "compare_exchange_u32", modifies " relaxed/acquire relaxed/seq_cst release/acquire acq_rel/seq_cst")
    orders("store_add", "store_add_u32", stores)
    orders("atomic_thread_fence", "fence_between", modifies)
    orders("wait", "wait_u32", loads)
    orders("fetch_or, 8 bits", "fetch_or_u8", modifies)
    orders("fetch_add, 8 bits", "fetch_add_u8", modifies)
    orders("exchange, 8 bits", "exchange_u8", modifies)
    orders("compare_exchange, 8 bits", "compare_exchange_u8", modifies)
    orders("fetch_max, float", "fetch_max_f32", modifies)
    orders("store_max, float", "store_max_f32", stores)
    orders("fetch_fmaximum, float", "fetch_fmaximum_f32", modifies)
    orders("fetch_add, bfloat16", "fetch_add_bf16", modifies)
    orders("store_add, bfloat16", "store_add_bf16", stores)
    orders("exchange, 16 bytes", "exchange_b128", modifies)
    orders("compare_exchange, 16 bytes", "compare_exchange_b128", modifies)

    print "\n| operation | types |" columns "\n|---|---|---|---|"
    for (i = 1; i <= count; i++) {
      split(names[i], word, " ")
      kernel = word[1]
      if (word[2] != "relaxed" || !match(kernel, /_(bool|[us](8|16|32|64)|b?f16|f32|f64|b128|pointer)$/)) continue
      member = substr(kernel, 1, RSTART - 1)
      if (member !~ /^(load|store|exchange|compare_exchange|fetch|store_.*|fetch_.*)$/) continue
      type = substr(kernel, RSTART + 1)
      line = cell(kernel, "relaxed", "old") " | " cell(kernel, "relaxed", "new")
      if (!((member, line) in types)) { first[++lines] = member; rest[lines] = line }
      types[member, line] = types[member, line] (types[member, line] ? " " : "") type
    }
    for (i = 1; i <= lines; i++) if (!(first[i] in done)) {
      done[first[i]] = 1
      for (j = i; j <= lines; j++) if (first[j] == first[i]) {
        split(rest[j], side, " \\| ")
        print "| " first[j] " | " types[first[j], rest[j]] " | " side[1] " | " (side[1] == side[2] ? "the same" : side[2]) " |"
      }
    }
    exit bad
  }
' "$directory/cases" > "$directory/tables.md" || fail "SMs of a column or scopes of a row differ"

# Barriers, copies, groups and launch control have no orders, and each generation has a column of its own. The rows are the
# kernels that have the name of an entry of the boundary. An instruction is an asm statement of arch/, or a builtin or a
# strong load that is named here. Where an entry has none, special registers are shown; where it has none of these either,
# plain accesses to shared memory and of vectors.
# plain_cases SM FAMILY...: COLUMN KERNEL | INSTRUCTIONS
plain_cases() {
  sm=$1
  shift
  for family; do
    listing=$listings/$family.sm_$sm.ptx
    if ! [ -e "$listing" ]; then
      fail "$listing is missing; build the target ptx"
      continue
    fi
    awk -v column="$(generation_with_letter "$sm")" '
      function add(what) { text = text (text ? "; " : "") what }
      /^\.visible \.entry / { name = $3; sub(/__.*/, "", name); text = registers = plain = ""; next }
      /begin inline asm/ { inside = 1; next }
      /end inline asm/ { inside = 0; next }
      { sub(/^[ \t]*(@!?%p[0-9]+ )?/, "") }
      /^}/ && name { print column, name, "|" (text ? text : registers ? registers : plain); name = "" }
      !name { next }
      inside || /^(isspacep|mapa|vote|ld\.relaxed|ld\.acquire)\./ {
        sub(/^[{] ((\.reg|or\.b64|setp\.ne\.u32) [^;]*; )*/, "")
        sub(/;$/, "", $1); sub(/;$/, "", $3)
        add($1 ~ /^mov\./ ? "mov " $3 : $1)
      }
      !inside && /^(ld|st)\.(shared|global\.v)/ && !index(plain, $1) { plain = plain (plain ? "; " : "") $1 }
      !inside && /^mov\..*, %[a-z][a-z]+[^0-9]*;/ { sub(/;$/, "", $3); registers = registers (registers ? "; " : "") "mov " $3 }
      /^trap;/ || /^call.* cudax_/ { add("stops") }
    ' "$listing"
  done
}
for sm; do plain_cases "$sm" mbarrier group copy tensor im2col tensor_publish launch_control; done > "$directory/plain_cases"
# What an SM with a letter has, and the SM without the letter lacks.
for sm in $letters; do
  case $sm in
    90a) plain_cases $sm registers tensor_updates ;;
    *) plain_cases $sm registers tensor_updates launch_control tensor_core ;;
  esac
done > "$directory/letter_cases"
[ $failures -eq 0 ] || finish

awk -v entries="$(entries)" '
  function complain(what) { print what > "/dev/stderr"; bad = 1 }
  BEGIN { n = split(entries, list, "\n"); for (i = 1; i <= n; i++) known[list[i]] = 1 }
  {
    text = $0; sub(/^[^|]*\|/, "", text)
    # cp_async_16 is cudax_async_copy with 16
    entry = "cudax_" $2
    label = "`" entry "`"
    if (!(entry in known) && match(entry, /_[a-z0-9]+(_for_async)?$/)) {
      variant = substr(entry, RSTART + 1); gsub(/_/, " ", variant)
      label = "`" substr(entry, 1, RSTART - 1) "`, " variant
      if (!(substr(entry, 1, RSTART - 1) in known)) next
    }
    if (($1, entry) in emitted && emitted[$1, entry] != text) complain(entry " differs within a generation: " text)
    emitted[$1, entry] = text
    if (!(entry in seen)) { seen[entry] = label; rows[++count] = entry }
  }
  END {
    columns = split("70 80 90 100", column, " ")
    print "\n| entry | sm_70 | sm_80 | sm_90 | sm_100 |\n|---|---|---|---|---|"
    for (i = 1; i <= count; i++) {
      row = "| " seen[rows[i]] " |"; before = ""
      for (c = 1; c <= columns; c++) {
        text = emitted[column[c], rows[i]]
        shown = text == "stops" ? "stops" : text == "" ? "none" : "`" text "`"
        row = row " " (shown == before ? "the same" : shown) " |"; before = shown
      }
      print row
    }
    exit bad
  }
' "$directory/plain_cases" >> "$directory/tables.md" || fail "SMs of a generation differ"

# The fourth table: the entries of these families that become something else than without the letter, or do not link there.
awk -v entries="$(entries)" -v columns_here="$letters" '
  BEGIN { n = split(entries, list, "\n"); for (i = 1; i <= n; i++) known[list[i]] = 1 }
  { text = $0; sub(/^[^|]*\|/, "", text) }
  FILENAME ~ /plain_cases$/ { plain[$1, $2] = text; next }
  {
    number = $1; sub(/a$/, "", number)
    if ((number, $2) in plain && plain[number, $2] == text) next
    entry = "cudax_" $2
    label = "`" entry "`"
    if (!(entry in known) && match(entry, /_[a-z0-9]+(_for_async)?$/)) {
      variant = substr(entry, RSTART + 1); gsub(/_/, " ", variant)
      label = "`" substr(entry, 1, RSTART - 1) "`, " variant
      if (!(substr(entry, 1, RSTART - 1) in known)) next
    }
    emitted[$1, entry] = text
    if (!(entry in seen)) { seen[entry] = label; rows[++count] = entry }
  }
  END {
    columns = split(columns_here, column, " ")
    head = "\n| entry, with a letter |"; line = "|---|"
    for (c = 1; c <= columns; c++) { head = head " sm_" column[c] " |"; line = line "---|" }
    print head "\n" line
    for (i = 1; i <= count; i++) {
      row = "| " seen[rows[i]] " |"; before = ""
      for (c = 1; c <= columns; c++) {
        text = emitted[column[c], rows[i]]
        shown = text == "" ? "no" : "`" text "`"
        row = row " " (shown == before ? "the same" : shown) " |"; before = shown
      }
      print row
    }
  }
' "$directory/plain_cases" "$directory/letter_cases" >> "$directory/tables.md"

sed '1,/^<!-- lowering tables: begin/d; /^<!-- lowering tables: end/,$d' "$document" > "$directory/document.md"
# The third table has a column for each generation, so all of them have to be there.
left_out=
if [ "$letters" != " 90a 100a" ]; then
  left_out=", without the table of SMs with a letter, which needs 90a and 100a"
  for tables in document tables; do sed -i '/^| entry, with a letter |/,$d' "$directory/$tables.md"; done
fi
if [ "$(cut -d' ' -f1 "$directory/plain_cases" | sort -u | wc -l)" -lt 4 ]; then
  left_out=", without the tables of entries, which need an SM of each generation"
  for tables in document tables; do sed -i '/^| entry |/,$d' "$directory/$tables.md"; done
fi
[ -s "$directory/document.md" ] || fail "$document has no tables between its two comments"
if ! diff -u "$directory/document.md" "$directory/tables.md" >&2; then
  fail "not what the compiler emits; where the change is meant, replace them by $directory/tables.md"
fi
finish "$(grep -c '^| [a-z]' "$directory/tables.md") rows on $*$left_out"
