// SPDX-License-Identifier: Apache-2.0
//
// part: the parts of the example program textbook_kernels, one file each, run by main.cpp. Include it after the
// standard headers.
#pragma once

#include "../example.hpp"

namespace textbook_kernels {

void on_the_host(example::report&); ///< host.cpp
#if defined(__CUDA__)
void divergence(example::report&);            ///< divergence.cpp
void reduction_series(example::report&);      ///< reductions.cpp
void resource_partitioning(example::report&); ///< resources.cpp
void placement(example::report&);             ///< placement.cpp
void latency(example::report&);               ///< latency.cpp
void memory_latency(example::report&);        ///< memory_latency.cpp
#endif

} // namespace textbook_kernels
