// SPDX-License-Identifier: Apache-2.0
//
// part: the parts of the example program chapter_3, one file each, run by main.cpp. Include behind standard headers.
#pragma once

#include "../example.hpp"

namespace chapter_3 {

void on_the_host(example::report&); ///< host.cpp
#if defined(__CUDA__)
void divergence(example::report&);            ///< divergence.cpp
void reduction_series(example::report&);      ///< reductions.cpp
void resource_partitioning(example::report&); ///< resources.cpp
#endif

} // namespace chapter_3
