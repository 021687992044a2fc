// SPDX-License-Identifier: Apache-2.0
//
// block_barrier: the common part of `bar` and `barrier`: bar.sync is barrier.cta.sync.aligned.  [PTX ISA, "bar,
// barrier"]
//
// .aligned guarantees that the lanes of a warp arrive together. It changes nothing; a checked run checks it.
#pragma once

#include "../../../machine/barriers.hpp"
#include "../../../machine/decoder.hpp"

namespace emulator {

/// Decodes sync, arrive and red; takes the modifiers .cta and .aligned before them.
void decode_block_barrier(decoder&);

} // namespace emulator
