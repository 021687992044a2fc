// SPDX-License-Identifier: Apache-2.0
//
// streaming: runs the page "Streaming through stages" before sm_90, where the threads themselves make the copies.
#include <cstdio>
#include <cstdlib>
import cudax.sync;
import cudax.sync.host;

#include "streaming.hpp"

int main() { guide::streaming::run_blocks(); }
