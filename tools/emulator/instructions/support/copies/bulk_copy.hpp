// SPDX-License-Identifier: Apache-2.0
//
// bulk_copy: cp.async.bulk and cp.reduce.async.bulk, for cp.cpp.
#pragma once

#include "../../../machine/decoder.hpp"

namespace emulator {

void decode_bulk_copy(decoder&);
void decode_bulk_reduction(decoder&);

} // namespace emulator
