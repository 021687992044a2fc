# SPDX-License-Identifier: Apache-2.0
#
# awk -f module_unit.awk <SOURCE: what cudax++ and CMake must know of a module unit. Prints
#
#   MODULE or MODULE:PARTITION
#   interface or implementation   others import the first kind, partitions among them
#   MODULE or MODULE:PARTITION    one line for each import
#
# and nothing for another source. The declaration of the module comes first and the imports follow it: before and between
# them are only comments, preprocessor directives and `module;`. So text that looks like a declaration further down is none.
BEGIN {
  blank = "[ \t\r\f\v]"
  name = "[^][(){}<>:=*&\" ]+" # also one in letters beyond ASCII, in any locale
}

# What the compiler joins: lines that end with a backslash.
{
  sub(/\r$/, "")
  line = line $0
  if (sub(/\\$/, "", line)) next
  read(without_comments(line))
  line = ""
}

# A comment is a blank, also one that began on a line before. Text in quotes is no comment.
function without_comments(line,    text, word) {
  text = ""
  while (line != "") {
    if (in_comment) {
      if (!match(line, /\*\//)) return text
      in_comment = 0
    } else if (match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\/|\/\*/)) {
      word = substr(line, RSTART, RLENGTH)
      text = text substr(line, 1, RSTART - 1) (word ~ /^\// ? " " : word)
      if (word == "//") return text
      in_comment = word == "/*"
    } else {
      return text line
    }
    line = substr(line, RSTART + RLENGTH)
  }
  return text
}

# Reads a line without comments: a directive, or a part of `statement`.
function read(line,    end) {
  if (statement == "" && line ~ "^" blank "*(#|%:)") return
  statement = statement " " line
  while (end = index(statement, ";")) {
    take(substr(statement, 1, end - 1))
    statement = substr(statement, end + 1)
  }
  sub("^" blank "+", "", statement)
  if (statement !~ "^((export|module|import)([^A-Za-z0-9_].*)?)?$") exit
}

# Takes a statement without its semicolon; anything but a declaration of a module and an import is the end.
function take(words,    importable) {
  gsub(blank "+", " ", words)
  sub(/ *\[\[.*/, "", words) # attributes
  gsub(/ *: */, ":", words)
  gsub(/^ | $/, "", words)
  importable = sub(/^export /, "", words) || words ~ /:/
  if (module == "" && words == "module") return
  if (module == "" && words ~ "^module " name "(:" name ")?$") {
    module = substr(words, 8)
    print module
    print importable ? "interface" : "implementation"
  } else if (module != "" && words ~ "^import(:| )" name "$") {
    sub(/^import ?/, "", words)
    if (words ~ /^:/) words = own_name() words
    print words
  } else if (module == "" || words !~ /^import ?["<]/) { # of a header
    exit
  }
}

function own_name(    primary) {
  primary = module
  sub(/:.*/, "", primary)
  return primary
}
