// SPDX-License-Identifier: Apache-2.0
//
// cudax.sync.host in plain C++, after standard headers and Boost's.
#include <boost/test/unit_test.hpp>

#include "import_after_headers.hpp"

BOOST_AUTO_TEST_SUITE(import_after_headers)

BOOST_AUTO_TEST_CASE(both_modules_are_usable) { BOOST_TEST(cudax_test::use_after_headers()); }

BOOST_AUTO_TEST_SUITE_END()
