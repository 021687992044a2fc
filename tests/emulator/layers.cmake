# SPDX-License-Identifier: Apache-2.0
# The order of the emulator's layers.
add_test(NAME emulator.layers
         COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/layers.sh" "${CMAKE_CURRENT_LIST_DIR}/../../tools/emulator")
set_tests_properties(emulator.layers PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
