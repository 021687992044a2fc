// SPDX-License-Identifier: Apache-2.0
//
// pages: runs the code of all pages of the guide. It is one source, because a compilation costs seconds, and a header a
// fraction of one.
//
//   pages         runs the code of each page
//   pages race    runs the data race of the page "The memory model", for checked runs
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory_resource>
#include <string>
#include <system_error>
#include <thread>
#include <vector>
import cudax.sync;
import cudax.sync.host;

#include "all_pages.hpp" // made by CMakeLists.txt: the header of each page, and guide::run_all_pages()

bool run_ported(); // ported.cu

int main(int count, char** arguments) {
  if (std::string const why = cudax::no_device_reason(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  if (count > 1 && arguments[1] == std::string("race")) {
    guide::memory_model::run_race();
    return 0;
  }
  guide::run_all_pages();
  guide::expect(run_ported(), "ported");
  std::puts("all right");
}
