// SPDX-License-Identifier: Apache-2.0
//
// plain: runs the code of the guide that needs no CUDA, as plain C++, also under the thread sanitizer.
#include <cstdio>
#include <cstdlib>
#include <thread>
import cudax.sync;

#include "testing.hpp"

int main() {
  guide::testing::run();
  std::puts("all right");
}
