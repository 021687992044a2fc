# SPDX-License-Identifier: Apache-2.0
# The emulator's documentation of its instructions.
cudax_house_test(emulator.instructions.readme LABEL emulator CHECK emulated list=$<TARGET_FILE:cudax_emulator_list>)
