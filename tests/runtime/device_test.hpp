// SPDX-License-Identifier: Apache-2.0
//
// device_test: DEVICE_TEST("title") { ... }: a test of the runner in tests/support whose body runs on the host, and
// launches kernels itself.
#pragma once

#include "support/test.hpp"

#define DEVICE_TEST(title)                                                                                             \
  static void TEST_CONCAT(body_, __LINE__)(cudax_test::context & test_);                                               \
  static void TEST_CONCAT(run_, __LINE__)(cudax_test::report & result) {                                               \
    cudax_test::context test{&result, nullptr, nullptr};                                                               \
    TEST_CONCAT(body_, __LINE__)(test);                                                                                \
  }                                                                                                                    \
  TEST_CASE_(d, title, "", cudax_test::side::device, TEST_CONCAT(run_, __LINE__))                                      \
  static void TEST_CONCAT(body_, __LINE__)([[maybe_unused]] cudax_test::context & test_)
