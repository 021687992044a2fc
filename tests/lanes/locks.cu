// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>
import cudax.sync;
#include "locks.hpp"
#include "ways.hpp"

namespace {
using namespace lanes;
using namespace lanes::subjects;

[[maybe_unused]] int const added = [] {
  add<ways::straight>(all_locks(), all_places(), all_meetings(), 32, 1);
  return 0;
}();
} // namespace
