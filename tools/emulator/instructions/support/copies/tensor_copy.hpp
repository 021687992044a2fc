// SPDX-License-Identifier: Apache-2.0
//
// tensor_copy: cp.async.bulk.tensor, cp.reduce.async.bulk.tensor and the prefetch of tensors, for cp.cpp.
#pragma once

#include "../../../machine/decoder.hpp"

namespace emulator {

void decode_tensor_copy(decoder&);
void decode_tensor_reduction(decoder&);

} // namespace emulator
