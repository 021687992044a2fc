// SPDX-License-Identifier: Apache-2.0
#include "shared.hpp"

namespace cudax_test {

std::vector<std::thread> start_plain_worker() { return start(); }

} // namespace cudax_test
