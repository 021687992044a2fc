# SPDX-License-Identifier: Apache-2.0
# The cost of checked runs: `emulator_check_speed` prints their rates, and limits the instructions per critical section.
cudax_emulator_tests(emulator_check_speed check_speed TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} SOURCES check_speed.cpp)
