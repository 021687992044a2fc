// SPDX-License-Identifier: Apache-2.0
//
// block_barrier: what `bar` and `barrier` share: bar.sync is barrier.cta.sync.aligned.  [PTX ISA, "bar, barrier"]
// .aligned promises that lanes come together, which changes nothing here.
#pragma once

#include "../../machine/barriers.hpp"
#include "../../machine/decoder.hpp"

namespace emulator {

/// sync, arrive and red, behind the modifiers .cta and .aligned, which it takes.
void decode_block_barrier(decoder&);

} // namespace emulator
