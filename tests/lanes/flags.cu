// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>
import cudax.sync;
#include "flags.hpp"
#include "ways.hpp"

namespace {
using namespace lanes;
using namespace lanes::subjects;

[[maybe_unused]] int const added = [] {
  add<ways::chain>(flags_of_many(), all_places(), all_meetings(), 32, 32);
  add<ways::chain>(flags_of_one(), all_places(), all_meetings(), 32, 32);
  add<ways::operation>(operations(), all_places(), all_meetings(), 32, 1);
  add<ways::operation>(operations_of_all(), all_places(), all_meetings(), 64, 1);
  return 0;
}();
} // namespace
