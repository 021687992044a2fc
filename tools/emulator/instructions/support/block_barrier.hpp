// SPDX-License-Identifier: Apache-2.0
//
// block_barrier: what `bar` and `barrier` share: bar.sync is barrier.cta.sync.aligned.  [PTX ISA, "bar, barrier"]
// .aligned promises that the lanes of a warp come together, which changes nothing, and is checked where a run is.
#pragma once

#include "../../machine/barriers.hpp"
#include "../../machine/decoder.hpp"

namespace emulator {

/// sync, arrive and red, behind the modifiers .cta and .aligned, which it takes.
void decode_block_barrier(decoder&);

} // namespace emulator
