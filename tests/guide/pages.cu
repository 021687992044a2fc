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

#include "convolution.hpp"
#include "counting_bytes.hpp"
#include "dependent_launches.hpp"
#include "execution_model.hpp"
#include "host_and_device.hpp"
#include "latency.hpp"
#include "matrix_product.hpp"
#include "memory_model.hpp"
#include "performance.hpp"
#include "persistent_kernel.hpp"
#include "reductions.hpp"
#include "resources.hpp"
#include "scopes.hpp"
#include "streaming.hpp"
#include "tensor_tiles.hpp"
#include "testing.hpp"
#include "waiting.hpp"
#include "warp_roles.hpp"
#include "work_stealing.hpp"

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
  guide::scopes::run();
  guide::memory_model::run();
  guide::execution_model::run();
  guide::host_and_device::run();
  guide::waiting::run();
  guide::testing::run();
  guide::work_stealing::run();
  guide::persistent_kernel::run();
  guide::resources::run();
  guide::latency::run();
  guide::reductions::run();
  guide::performance::run();
  guide::counting_bytes::run();
  guide::streaming::run();
  guide::warp_roles::run();
  guide::dependent_launches::run();
  guide::matrix_product::run();
  guide::tensor_tiles::run();
  guide::convolution::run();
  guide::expect(run_ported(), "ported");
  std::puts("all right");
}
