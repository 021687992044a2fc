// SPDX-License-Identifier: Apache-2.0
//
// main: the tests of the host runtime that need no device. Most use a simulated machine (simulated_machine.hpp).
#define BOOST_TEST_MODULE runtime
#include <boost/test/unit_test.hpp>
