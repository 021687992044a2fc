# SPDX-License-Identifier: Apache-2.0
# The memory model of checked runs: unit tests that perform the operations of threads themselves.
cudax_emulator_tests(emulator_check check PREFIX check_ TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT}
  SOURCES check_litmus.cpp check_memory.cpp check_model.cpp check_stale.cpp check_words.cpp
  SUITES model words litmus memory stale)
