#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# isolated_python: no command imports what another user has put into the working directory. `python3 -m pip` would find a
# file pip.py there, and some commands run as root. So every Python is started with -I.
#
#   isolated_python.sh ROOT DIRECTORY [CUDAX_TOOLKIT]
#
# Runs commands in DIRECTORY, between files that leave a note when they are imported. CUDAX_TOOLKIT is the installed command.
set -euo pipefail

root=$1 directory=$2 toolkit=${3-}
rm -rf "$directory"
mkdir -p "$directory/docs"
cd "$directory"

fail() {
  echo "$*" >&2
  exit 1
}

for module in pip json argparse runpy mkdocs material matplotlib; do
  printf 'open("imported", "a").write("%s.py ")\nraise SystemExit(1)\n' $module >$module.py
done
python3 -m pip >/dev/null 2>&1 || true
[[ -e imported ]] || fail "python3 -m pip does not import pip.py, so this test finds nothing"
rm imported

# imports_nothing COMMAND...: the command may fail
imports_nothing() {
  "$@" >output 2>&1 || true
  [[ ! -e imported ]] || fail "$* imports from the working directory: $(<imported)"
}
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 # nothing is downloaded
[[ ! $toolkit ]] || imports_nothing bash "$toolkit" "$directory/cuda"

# functions_of COMMAND NAME...: defines these functions of a command of tools/
functions_of() {
  local file=$root/tools/$1 name
  shift
  for name; do eval "$(sed -n "/^$name() {.*}\$/p; /^$name() {\$/,/^}/p" "$file")"; done
}
# shellcheck disable=SC2034  # what the functions use
log=$directory/log folder=$directory docs_wheels=none
echo none >docs.wheels
logged() { "$@"; }
functions_of setup has_pip has_matplotlib has_mkdocs install_wheels
for function in has_pip has_matplotlib has_mkdocs; do imports_nothing $function; done
imports_nothing install_wheels "$directory/wheels" no-such-wheel
functions_of docs has_mkdocs
imports_nothing has_mkdocs

# All that start Python: scripts, programs, CMake.
cd "$root"
starts='^#!.*python3$|(^|[ ;|(&])([a-z/]*/)?python3 +[-"$]|(sys\.executable|DEBIAN_PYTHON|\[python), |COMMAND "\$\{CUDAX_SYNC_PYTHON\}"'
isolated='python3 -I|, "-I"|PYTHON\}" -I|^tests/support/isolated_python\.sh:'
lines=$(grep -rnE "$starts" .ci tools tests --exclude='*.md' | grep -vE "$isolated") || true
[[ ! $lines ]] || fail "these lines start Python without -I:"$'\n'"$lines"
echo "no Python imports from the working directory"
