# SPDX-License-Identifier: Apache-2.0
# The emulator's documentation of its instructions.
add_test(NAME emulator.instructions.readme
         COMMAND "${CMAKE_CURRENT_LIST_DIR}/instructions.sh" $<TARGET_FILE:cudax_emulator_list>
                 "${CMAKE_CURRENT_LIST_DIR}/../../tools/emulator/instructions/README.md")
set_tests_properties(emulator.instructions.readme PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS emulator)
