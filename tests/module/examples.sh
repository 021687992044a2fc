#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# examples: the usage examples in the docstrings compile without a warning, and every exported class has one.
#
#   examples.sh ROOT DIRECTORY COMMAND...
#
# DIRECTORY receives the generated source, COMMAND is the compiler's command line for one flavour. An example is a block of a
# docstring, three to eight lines of code that begin five spaces after the slashes:
#
#   /// Example:
#   ///     cudax::latch<cudax::thread_scope_block> done(2);
#   ///     done.count_down();
#   ///     done.wait();
#
# If the first line begins with a word of `definition` below, or with `using` where functions follow, the code stands at
# namespace scope. Otherwise it is the body of a function. The function is for host and device; it is for the host alone in
# a unit of cudax.sync.host, or if the code names a CUDA function. The plain flavour leaves out code that is CUDA only (see `cuda_only`). The generated source includes the
# headers below, then imports both modules.
#
# An exported class or class template needs an Example in its docstring, or an Example in its unit that names it as
# cudax::<name>. A unit that exports any declaration needs an Example. Both rules hold for the rooms in `rooms`.
set -eu
export LC_ALL=C
root=$1 directory=$2
shift 2
rooms='base atomic contended wait host thread copy grid container'

mkdir -p "$directory"
cd "$directory"
units=$(ls "$root"/modules/*/*.cppm)
awk -v rooms=" $rooms " '
  BEGIN {
    definition = "^(__global__|__device__|__host__|__shared__|template|struct|void|inline|constexpr|namespace)($|[^a-zA-Z_0-9])"
    cuda_only = "__global__|__device__|__host__|__shared__|<<<|threadIdx|blockIdx|blockDim|gridDim|(^|[^a-zA-Z_0-9:])cuda[A-Z]"
    print "#include <chrono>\n#include <csignal>\n#include <cstdio>\n#include <memory_resource>\n#include <string>\n#include <system_error>"
    print "#include <thread>\n#include <vector>"
    print "#if defined(__CUDA__)\n#include <cuda_runtime.h>\n#define EVERYWHERE __host__ __device__\n#else\n#define EVERYWHERE\n#endif"
    print "import cudax.sync;\nimport cudax.sync.host;"
  }
  function fail(line, sentence) {
    printf "%s:%d: %s\n", unit, line, sentence >"/dev/stderr"
    failures = 1
  }
  function emit() {
    in_example = 0
    if (size < 3 || size > 8) fail(first, "this Example has " size " lines; an example has three to eight")
    examples++
    unit_examples++
    has_example = 1
    unit_code = unit_code "\n" code
    only = code ~ cuda_only
    if (only) print "#if defined(__CUDA__)"
    printf "namespace example_%d {\n", examples
    body = code !~ definition && !(code ~ /^using / && code ~ /\n(__global__|__device__|inline) /)
    everywhere = unit !~ /\/host\/[a-z_]*\.cppm$/ && code !~ /(^|[^a-zA-Z_0-9:])cuda[A-Z]/ ? "EVERYWHERE " : ""
    if (body) printf "%svoid function() {\n", everywhere
    printf "#line %d \"%s\"\n%s", first, unit, code
    if (body) print "}"
    print "}"
    if (only) print "#endif"
  }
  function end_unit() {
    if (in_example) emit()
    if (unit == "" || !index(rooms, " " room " ")) return
    for (name in missing)
      if (unit_code !~ ("cudax::" name "($|[^a-zA-Z_0-9])")) {
        printf "%s:%d: the exported class %s has no Example\n", unit, missing[name], name >"/dev/stderr"
        failures = 1
      }
    if (exports && unit_examples == 0) {
      printf "%s: this unit exports declarations and has no Example\n", unit >"/dev/stderr"
      failures = 1
    }
  }
  FNR == 1 {
    end_unit()
    unit = room = FILENAME
    sub(/\/[^\/]*$/, "", room)
    sub(/.*\//, "", room)
    exports = exported = unit_examples = documented = has_example = in_example = was_doc = 0
    unit_code = ""
    split("", missing)
    split("", shown)
  }
  {
    text = $0
    sub(/^ */, "", text)
    is_doc = text ~ /^\/\/\//
    if (in_example) {
      if (text ~ /^\/\/\/     [^ ]/ || (size && text ~ /^\/\/\/     +[^ ]/) || text == "///") {
        code = code substr(text, 9) "\n"
        if (text != "///") size++
      } else emit()
    }
    if (is_doc && !was_doc) has_example = 0
    if (text == "/// Example:") {
      in_example = 1
      size = 0
      code = ""
      first = FNR + 1
    } else if (text ~ /Example:/ && is_doc) fail(FNR, "an example begins with the line \"/// Example:\"")
    was_doc = is_doc
    if (is_doc) {
      documented = 1
      next
    }
  }
  /^export namespace/ { exports = exported = 1 }
  /^} \/\/ namespace/ { exported = 0 }
  exported && /^(template <.*> )?(class|struct) / && (!/;$/ || documented) {
    line = $0
    gsub(/\[\[[^]]*\]\] |alignas\([^)]*\) /, "", line)
    sub(/^(template <.*> )?(class|struct) /, "", line)
    match(line, /^[a-zA-Z_0-9]*/)
    name = substr(line, 1, RLENGTH)
    specialization = substr(line, RLENGTH + 1, 1) == "<"
    classes++
    if (has_example) shown[name] = 1
    else if (!specialization && !(name in shown)) missing[name] = FNR
  }
  /[;}] *$/ { documented = has_example = 0 } # the end of the declaration that the docstring belongs to
  END {
    end_unit()
    printf "%d examples, %d exported classes", examples, classes >"counts"
    if (examples < 2 || classes < 20) {
      printf "found only %d examples and %d exported classes in the units\n", examples, classes >"/dev/stderr"
      failures = 1
    }
    exit failures
  }' $units >examples.cpp
"$@" -fsyntax-only -ferror-limit=0 -Wall -Wextra -Werror -Wno-unused-variable -Wno-unused-but-set-variable -Wno-unused-function \
  examples.cpp
echo "$(cat counts)"
