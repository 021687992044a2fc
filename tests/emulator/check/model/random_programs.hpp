// SPDX-License-Identifier: Apache-2.0
//
// random_programs: small programs by chance, of all kinds of events.
#pragma once

#include "axioms.hpp"

namespace emulator_test {

/// `locations`: at most 3
small_program random_program(emulator::check::random&, int threads, int events, int locations);

} // namespace emulator_test
