# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of cudax++
#
# response_files: the arguments that @FILE stands for.

# --- response files -------------------------------------------------------------------------------------------------

# split FILE: sets `found` to the arguments in the file, by clang's rules: white space separates arguments; a backslash
# escapes the next character, also within quotes. Takes 512 characters at a time, because each match copies the text.
split() {
  local LC_ALL=C text word="" is_word="" quote="" escapes="" ordinary
  local outside="^[^[:space:]\"'\\]+" double='^[^"\]+' single="^[^'\\]+"
  found=()
  while IFS= read -r -N 512 text || [[ $text ]]; do
    while [[ $text ]]; do
      case $quote in
        '"') ordinary=$double ;;
        "'") ordinary=$single ;;
        *) ordinary=$outside ;;
      esac
      if [[ $escapes ]]; then
        word+=${text:0:1} text=${text:1} escapes=""
      elif [[ $text =~ $ordinary ]]; then
        word+=${BASH_REMATCH[0]} text=${text:${#BASH_REMATCH[0]}}
      else
        case ${text:0:1} in
          \\) escapes=1 ;;
          [\"\'])
            is_word=1
            if [[ $quote ]]; then quote=""; else quote=${text:0:1}; fi
            ;;
          *)
            [[ ! $word$is_word ]] || found+=("$word")
            word="" is_word=""
            ;;
        esac
        text=${text:1}
      fi
    done
  done <"$1"
  [[ ! $escapes ]] || word+=\\
  [[ ! $word$is_word ]] || found+=("$word")
}

# Appends the arguments to `expanded`, with @FILE replaced by the arguments in FILE.
expanded=() depth=0
expand() {
  local argument
  local -a found
  for argument; do
    if [[ $argument != @?* || ! -f ${argument:1} || ! -r ${argument:1} ]]; then
      expanded+=("$argument") # not a readable file: an ordinary argument, as for clang
      continue
    fi
    depth=$((depth + 1))
    [ $depth -le 20 ] || fail "$argument: response files are nested more than 20 deep; does this one name itself?"
    split "${argument:1}"
    expand ${found[@]+"${found[@]}"}
    depth=$((depth - 1))
  done
}
