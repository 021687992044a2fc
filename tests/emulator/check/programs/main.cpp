// SPDX-License-Identifier: Apache-2.0
//
// check_programs: programs with one mistake each, and their corrected twins.
//
//   check_programs NAME wrong|right
//   check_programs list               a line for each: name, file, kind of the finding, SM, of_ten
//
// The right twin must give the right answers. The answers of the wrong twin do not matter.
#include "program.hpp"

#include <cstring>

int main(int argc, char** argv) {
  if (argc == 2 && !std::strcmp(argv[1], "list")) {
    for (auto p = check::program::list; p; p = p->next)
      std::printf("%s|%s|%s|%d|%d\n", p->name, p->file, p->finding, p->sm, p->of_ten);
    return 0;
  }
  bool const right = argc == 3 && !std::strcmp(argv[2], "right");
  if (argc != 3 || (!right && std::strcmp(argv[2], "wrong"))) {
    std::fprintf(stderr, "usage: check_programs NAME wrong|right\n       check_programs list\n");
    return 2;
  }
  for (auto p = check::program::list; p; p = p->next) {
    if (std::strcmp(p->name, argv[1])) continue;
    if (p->run(right)) return 0;
    if (right) std::fprintf(stderr, "check_programs: %s: the right twin gave a wrong answer\n", p->name);
    return right ? 1 : 0;
  }
  std::fprintf(stderr, "check_programs: there is no program '%s'; see: check_programs list\n", argv[1]);
  return 2;
}
