# SPDX-License-Identifier: Apache-2.0
# Checks of the repository's own rules (README.md). They need Python and nothing else of its packages.
find_program(CUDAX_SYNC_PYTHON NAMES python3 HINTS /usr/bin DOC "Python 3, for the tests of sources and tools")

# cudax_house_test(<test> LABEL <label> CHECK <check> [<input>=<value>...]): a test that runs one check
function(cudax_house_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "CHECK")
  if(CUDAX_SYNC_PYTHON)
    add_test(NAME ${name} COMMAND "${CUDAX_SYNC_PYTHON}" -I -B "${PROJECT_SOURCE_DIR}/tests/house/house.py" "${PROJECT_SOURCE_DIR}"
             ${arg_CHECK})
    set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT})
  else()
    message(STATUS "cudax.sync: test ${name} is skipped: python3 was not found; run tools/setup or set CUDAX_SYNC_PYTHON")
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: python3 was not found")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:" LABELS ${arg_LABEL})
  endif()
endfunction()
