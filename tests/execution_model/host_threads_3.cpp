// SPDX-License-Identifier: Apache-2.0
//
// host.threads.3: a thread in an endless loop makes progress by calls of a library I/O function. Another thread reads
// what it writes, and must receive every line.
#include "example.hpp"

#include <cstdio>
#include <thread>
#include <unistd.h>

using namespace execution_model;

static void write_lines(std::FILE* file) {
  for (unsigned i = 0;; ++i) std::fprintf(file, "line %u\n", i % 1000);
}

static end receive_lines(std::FILE* file) {
  for (unsigned i = 0; i < 20'000; ++i) { // more than a pipe holds
    unsigned found = 0;
    if (std::fscanf(file, " line %u", &found) != 1 || found != i % 1000) return end::wrong;
  }
  return end::right;
}

static end run() {
  started();
  int ends[2];
  if (pipe(ends) != 0) return end::wrong;
  std::FILE* const source = fdopen(ends[1], "w");
  std::FILE* const sink = fdopen(ends[0], "r");
  if (!source || !sink) return end::wrong;
  std::thread(write_lines, source).detach();
  end const result = receive_lines(sink);
  _exit(int(result)); // the end of main would flush `source` and so wait for its thread, which waits for a reader
}

static example const here("host.threads.3", "the thread calls a library I/O function", run);
