#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# hidden: a program that imports a module can use no name except the listed ones.
#
#   hidden.sh MODULE NAMES ROOT DIRECTORY COMMAND...
#
# MODULE is cudax.sync or cudax.sync.host, NAMES the list of its exported names (names.inc), COMMAND a compiler's
# command line for one flavour. The names that must be hidden are not typed here: the compiler lists the declarations of
# the module's units. For each declaration in namespace cudax or in the global namespace that is not in NAMES, naming it
# must be an error. No macro may be defined.
set -eu
export LC_ALL=C
module=$1 names=$2 root=$3 directory=$4
shift 4

mkdir -p "$directory"
cd "$directory"
case $module in
  cudax.sync) units=$(find "$root/modules" -name '*.cppm' -not -path "$root/modules/host/*" -not -name sync_host.cppm | sort) headers='' ;;
  cudax.sync.host) units=$(ls "$root"/modules/host/*.cppm "$root/modules/sync_host.cppm") headers='#include <memory_resource>
#include <string>
#include <system_error>
#include <vector>' ;;
  *) echo "hidden.sh: module '$module' is unknown; use cudax.sync or cudax.sync.host" >&2; exit 2 ;;
esac

language=c++-module
case " $* " in *" -x cuda "*) language=cuda ;; esac
# The list also holds parameters, which look like members of a namespace and are hidden as well.
for unit in $units; do
  "$@" -x $language -nocudainc -Qunused-arguments -w -fsyntax-only -Xclang -ast-list "$unit"
done >declarations
sed -n 's/^NAME(\(.*\))$/\1/p' "$names" | sed 's/::.*//' | sort -u >listed
sed -n 's/^cudax::\([A-Za-z_][A-Za-z_0-9]*\)$/\1/p' declarations | sort -u | comm -23 - listed >internal
sed -n 's/^\(cudax_[A-Za-z_0-9]*\)$/\1/p' declarations | sort -u >global
macros=$(sed -n 's/^#define \(CUDAX_[A-Z_0-9]*\).*/\1/p' "$root"/modules/base/*.hpp "$root"/arch/*.hpp "$root"/arch/*.def "$root"/runtime/interface/*.hpp | sort -u)
# An incomplete list would check nothing.
if [ "$(wc -l <internal)" -lt 8 ] || ! grep -qx runtime internal; then
  echo "$module: the compiler's list of declarations lacks what the units declare: $(wc -l <internal) names" >&2
  exit 1
fi

{
  printf '%s\nimport %s;\n' "$headers" "$module"
  echo 'namespace hidden {'
  sed "s/.*/using cudax::&; \/\/ expected-error {{no member named '&' in namespace 'cudax'}}/" internal
  sed "s/.*/using ::&; \/\/ expected-error {{no member named '&' in the global namespace}}/" global
  echo '}'
  for macro in $macros; do
    printf '#if defined(%s)\n#error "macro %s is visible"\n#endif\n' $macro $macro
  done
} >hidden.cpp
if ! "$@" -fsyntax-only -fno-spell-checking -ferror-limit=0 -Xclang -verify -Xclang -verify-ignore-unexpected=note hidden.cpp; then
  echo "$module: a name that is not in $names is visible: list it there, or do not export it" >&2
  exit 1
fi
echo "$module: $(wc -l <internal) names of namespace cudax, $(wc -l <global) global ones and $(echo "$macros" | wc -w) macros are hidden"
