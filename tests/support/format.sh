#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# format: clang-format, with the committed .clang-format, changes no C++ file.
#
#   format.sh CLANG_FORMAT ROOT FOLDER...
#
# To correct a file: clang-format -i FILE, or `// clang-format off` and `on` around a table. The *.fail.cpp files are
# excluded, since they are tables: each line holds a rejected use and its message.
set -euo pipefail

clang_format=$1 root=$2
shift 2
cd "$root"
mapfile -t files < <(find "$@" ! -name '*.fail.cpp' \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cppm' -o -name '*.cu' \) | sort)
[ ${#files[@]} -ge 50 ] || { echo "found only ${#files[@]} C++ files in $*" >&2; exit 1; }
"$clang_format" --dry-run -Werror "${files[@]}"
echo "${#files[@]} files"
