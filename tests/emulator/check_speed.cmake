# SPDX-License-Identifier: Apache-2.0
# How much work checked runs are: `emulator_check_speed` prints their rates, and judges the instructions that locks take.
cudax_emulator_tests(emulator_check_speed check_speed TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} SOURCES check_speed.cpp)
