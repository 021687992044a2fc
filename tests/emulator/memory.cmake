# SPDX-License-Identifier: Apache-2.0
# The emulator's instructions on memory: unit tests that load small modules and run them.
cudax_emulator_tests(emulator_memory memory PREFIX memory_ TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT}
  SOURCES memory_access.cpp memory_asynchronous.cpp memory_atomic.cpp memory_forms.cpp memory_mbarrier.cpp memory_tensor.cpp
  SUITES access asynchronous atomic forms mbarrier tensor)
