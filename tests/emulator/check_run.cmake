# SPDX-License-Identifier: Apache-2.0
# Checked runs of small modules, from the PTX text to the findings.
cudax_emulator_tests(emulator_check_run check_run TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} SOURCES check_run.cpp)
