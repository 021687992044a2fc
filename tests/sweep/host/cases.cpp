// SPDX-License-Identifier: Apache-2.0
//
// cases: tells which test case runs.
#include "orders.hpp"

#include <boost/test/tree/observer.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace {

struct observer : boost::unit_test::test_observer {
  std::chrono::steady_clock::time_point began;

  void test_unit_start(boost::unit_test::test_unit const& unit) override {
    if (unit.p_type != boost::unit_test::TUT_CASE) return;
    cudax_sweep::begin_case(unit.full_name().c_str());
    began = std::chrono::steady_clock::now();
  }
  void test_unit_finish(boost::unit_test::test_unit const& unit, unsigned long) override {
    if (unit.p_type != boost::unit_test::TUT_CASE) return;
    cudax_sweep::end_case(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
};

struct observed {
  observer one;
  observed() { boost::unit_test::framework::register_observer(one); }
};
BOOST_GLOBAL_FIXTURE(observed);

} // namespace
