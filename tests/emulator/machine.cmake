# SPDX-License-Identifier: Apache-2.0
# The emulator's machine: unit tests that load small modules and run them.
cudax_emulator_tests(emulator_machine machine TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} SOURCES blocks.cpp convergence.cpp machine.cpp
  SUITES programs blocks convergence)
