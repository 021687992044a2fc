#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# readme_paths: every path exists that a README.md, or another .md in the root, names.
#
#   readme_paths.sh ROOT
#
# Checks the relative links, and the words in backticks that have the form of a path of this repository: a file name with one
# of the repository's suffixes, or a path whose first folder exists. A path may be relative to the README.md, to the root, or
# to any folder on the way (`README.md` rows often shorten `std/atomic/load.run.cpp`). `*` and `{a,b}` stand for several names.
set -euo pipefail

cd "$1"
suffixes='cpp|hpp|cppm|cu|inc|ptx|sh|cmake|md|in|litmus|expected|json|txt|py|csv|svg|def'
# What is not in the repository: files that tools, builds and users make, and files of other projects.
elsewhere='^(/|~|build/|bin/|lib/|lib64/|include/|proc/)|^(answer|program|kernels|main)\.(cu|cpp|o)$|^(environment|result|compile_time)\.'

placeholder='(NAME|KIND|NN|MEMBER|SECTION|PROGRAM|FOLDER)'

# Every file and folder by each end of its path: modules/x/y.cppm is known as that, as x/y.cppm and as y.cppm.
declare -A known=()
while IFS= read -r path; do
  path=${path#./}
  known[$path]=1
  while [[ $path == */* ]]; do
    path=${path#*/}
    known[$path]=1
  done
done < <(find . \( -name .git -o -path './build*' \) -prune -o -mindepth 1 -print)

# exists FOLDER WORD: WORD without wildcards and braces, in FOLDER, in the root, or as the end of a path.
exists() {
  local word=${2%/}
  [[ -e $1/$word || ${known[$word]-} ]] && return 0
  compgen -G "$1/$word.*" >/dev/null || compgen -G "$word.*" >/dev/null && return 0 # without its suffix
  [[ $word == *'*'* ]] || return 1
  compgen -G "$1/$word" >/dev/null || compgen -G "$word" >/dev/null && return 0
  local each
  for each in "${!known[@]}"; do
    # shellcheck disable=SC2053  # a pattern
    [[ $each != $word ]] || return 0
  done
  return 1
}

checked=0 failures=0
check() { # README FOLDER WORD, which may hold one list in braces
  if [[ $3 =~ ^([^{]*)\{([^}]*)\}(.*)$ ]]; then
    local before=${BASH_REMATCH[1]} after=${BASH_REMATCH[3]} part
    for part in ${BASH_REMATCH[2]//,/ }; do check "$1" "$2" "$before$part$after"; done
    return
  fi
  checked=$((checked + 1))
  exists "$2" "$3" || { echo "$1 names '$3', which does not exist" >&2; failures=$((failures + 1)); }
}

while IFS= read -r readme; do
  folder=$(dirname "$readme")
  text=$(awk '/^```/ { code = !code; next } !code && !/^    /' "$readme") # without code
  while IFS= read -r link; do
    link=${link#'('} link=${link%')'} link=${link%%#*}
    [[ ! $link || $link == *:* ]] && continue
    checked=$((checked + 1))
    [[ -e $folder/$link ]] || { echo "$readme links to '$link', which does not exist" >&2; failures=$((failures + 1)); }
  done < <(grep -oE '\]\([^) ]+\)' <<<"$text" | cut -c2- || true)
  while IFS= read -r word; do
    word=${word//\`/}
    [[ $word =~ ^[A-Za-z0-9_.+*{},/-]+$ && $word != .* && $word != *...* && ! $word =~ $placeholder && ! $word =~ $elsewhere ]] || continue
    if [[ $word =~ ^[A-Za-z0-9_.+*{},/-]*[A-Za-z0-9_*}+-]\.($suffixes)$ ]]; then
      check "$readme" "$folder" "$word"
    elif [[ $word == */* && ${word%%/*} != *[.*\{]* ]] && [[ -d $folder/${word%%/*} || -d ${word%%/*} ]]; then
      check "$readme" "$folder" "$word"
    fi
  done < <(grep -oE '`[^` ]+`' <<<"$text" || true)
  # In the first column of a table `name.*` stands for files; elsewhere it may be a pattern of test names.
  while IFS= read -r word; do
    check "$readme" "$folder" "${word//\`/}"
  done < <(awk -F'|' '/^\|/ { print $2 }' <<<"$text" | grep -oE '`[a-z_/]+\.\*`' || true)
done < <(find . \( -name .git -o -path './build*' \) -prune -o \( -name README.md -o -path './*.md' ! -path './*/*' \) -print | sort)

((checked >= 100)) || { echo "found only $checked paths in the README.md files of $PWD" >&2; exit 1; }
((failures == 0)) || { echo "$failures of $checked paths do not exist: correct the README.md, or add what users make to 'elsewhere'" >&2; exit 1; }
echo "$checked paths"
