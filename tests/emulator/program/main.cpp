// SPDX-License-Identifier: Apache-2.0
//
// The program that the emulator's unit tests are linked into.
#define BOOST_TEST_MODULE emulator
#include <boost/test/unit_test.hpp>
