// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_MODULE emulator_runtime
#include <boost/test/unit_test.hpp>
