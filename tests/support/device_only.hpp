// SPDX-License-Identifier: Apache-2.0
//
// device_only: included before a body that is DEVICE_ONLY in its CMakeLists.txt. CTest has no test of the body's host
// side, so a case that runs there is an error.
#pragma once

#include "test.hpp"

#undef TEST_CASE_
#define TEST_CASE_(suffix, ...)                                                                                        \
  static_assert(false, "no test runs the host side of this body: use DEVICE_TEST, or remove DEVICE_ONLY before its "   \
                       "name in the CMakeLists.txt of the room");
