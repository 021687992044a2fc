#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# own_names.sh TESTS: each test body of TESTS/std has names of its own. The bodies are linked to one program, where two
# templates or classes of one name and one set of arguments are one: the tests of one file would run the other's code.
set -euo pipefail
cd "$1/std"
names=$(find . -name '*.run.cpp' -print0 | sort -z | xargs -0 awk '
  FNR == 1 { in_unnamed = 0; template = "" }
  /^namespace \{/ { in_unnamed = 1 }
  /^\} \/\/ namespace$/ { in_unnamed = 0 }
  in_unnamed || /^(static|using|namespace|import|typedef|extern|return|TEST|DEVICE_TEST|CONCURRENT_TEST|#|\/\/|[ }])/ { next }
  /^template <.*>$/ || /^template <[^>]*$/ { next }
  {
    line = $0
    sub(/^template <.*> *(requires [^ ]+ )?(struct|class|enum) /, "struct ", line)
    sub(/^template <.*> /, "", line)
    if (line ~ /^(struct|class|union|enum( class)?) (alignas\([^)]*\) )?[a-z_0-9]+ *([:{].*)?$/) {
      sub(/^(struct|class|union|enum class|enum) (alignas\([^)]*\) )?/, "", line)
      sub(/[^a-z_0-9].*/, "", line)
    } else if (line ~ /^[a-z][a-zA-Z_0-9:<>,*& ]* [*&]?[a-z_0-9]+\([^;]*$/) {
      sub(/\(.*/, "", line)
      sub(/.*[ *&]/, "", line)
    } else next
    if (!((line, FILENAME) in seen)) { seen[line, FILENAME]; print line, FILENAME }
  }')
count=$(wc -l <<<"$names")
((count > 200)) || { echo "own_names: found only $count names; the script does not understand the sources" >&2; exit 1; }
repeated=$(awk '{ files[$1] = files[$1] " " $2; ++n[$1] } END { for (name in n) if (n[name] > 1) print name ":" files[name] }' <<<"$names")
if [[ $repeated ]]; then
  echo "tests/std: these names are in several files; give each file names of its own, or put them in an unnamed namespace:" >&2
  sort <<<"$repeated" >&2
  exit 1
fi
echo "$count names, each of one file"
