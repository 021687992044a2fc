// SPDX-License-Identifier: Apache-2.0
//
// foreign: runs one form of one program.
//
//   foreign TOPIC.NAME FORM [SCALE [TIMES]]
//   foreign list                     a line for each program: its name and its forms
//
// Exit status: 0 if the answer is right, 1 if it is wrong, 3 if CUDA reports an error, 77 if there is no device.
#include "foreign.hpp"

int main(int argc, char** argv) {
  if (argc == 2 && !std::strcmp(argv[1], "list")) {
    for (auto p = foreign::program::list; p; p = p->next) {
      std::printf("%s", p->name);
      for (foreign::entry const& f : p->forms)
        if (f.name) std::printf(" %s", f.name);
      std::puts("");
    }
    return 0;
  }
  int const scale = argc > 3 ? std::atoi(argv[3]) : 1, times = argc > 4 ? std::atoi(argv[4]) : 1;
  if (argc < 3 || argc > 5 || scale < 1 || times < 1) {
    std::fprintf(stderr, "usage: foreign TOPIC.NAME FORM [SCALE [TIMES]]\n       foreign list\n");
    return 2;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: there is no CUDA device");
    return 77;
  }
  for (auto p = foreign::program::list; p; p = p->next) {
    if (std::strcmp(p->name, argv[1])) continue;
    for (foreign::entry const& f : p->forms) {
      if (!f.name || std::strcmp(f.name, argv[2])) continue;
      int wrong = 0;
      for (int i = 0; i < times; ++i) wrong += !f.run(scale);
      if (wrong) std::printf("wrong answer: %s %s %d: %d of %d runs\n", p->name, f.name, scale, wrong, times);
      return wrong != 0;
    }
    std::fprintf(stderr, "foreign: %s has no form '%s'; see: foreign list\n", argv[1], argv[2]);
    return 2;
  }
  std::fprintf(stderr, "foreign: there is no program '%s'; see: foreign list\n", argv[1]);
  return 2;
}
