# SPDX-License-Identifier: Apache-2.0
# Tests that need no build: the commands of tools/, the documentation, and the sources themselves.

# Every command says how it is used.
foreach(_tool bench demo docs emulate execution-model info litmus package setup test)
  add_test(NAME tools.help.${_tool} COMMAND bash -c "text=$(\"$0\" --help 2>&1) && [[ $text == 'usage: tools/'* ]] && echo \"$text\""
           "${PROJECT_SOURCE_DIR}/tools/${_tool}")
endforeach()

# --quick refuses what it would leave out, and --preset what is no preset, before anything is set up.
add_test(NAME tools.test.quick COMMAND bash -c "
  refused() { text=$(\"$0\" \"\${@:2}\" 2>&1); [[ $? == 2 && $text == *\"$1\"* ]] || { echo \"\${*:2}: $text\"; exit 1; }; }
  refused 'chooses its own tests' --quick --preset release
  refused 'chooses its own tests' --quick -- -R ptx
  refused 'is for --quick' --since HEAD
  refused 'use release, address, thread, cuda-13.0 or cuda-13.5' --preset cuda-13.1
  refused 'uses no toolkit' --cuda off --preset cuda-13.5
  refused 'use a commit' --quick --since no-such-commit" "${PROJECT_SOURCE_DIR}/tools/test")
if(CUDAX_SYNC_TOOLS AND CUDAX_SYNC_PYTHON) # with all the tests that the rows name
  add_test(NAME tools.test.quick_choice COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/support/quick_choice.sh"
           "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  set_tests_properties(tools.test.quick_choice PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT}
                       ENVIRONMENT "CUDAX_SYNC_CUDA=$<IF:$<BOOL:${CUDAX_SYNC_CUDA_FOUND}>,on,off>")
endif()

add_subdirectory(house)

# What tools/bench makes of its results, and its command `run`, need no GPU. The plots also need matplotlib.
foreach(_cases Table Compare Plots Run)
  string(TOLOWER ${_cases} _class)
  if(CUDAX_SYNC_PYTHON)
    add_test(NAME tools.bench.${_class} COMMAND "${CUDAX_SYNC_PYTHON}" -I "${CMAKE_CURRENT_SOURCE_DIR}/support/bench_report.py"
             "${PROJECT_SOURCE_DIR}/tools/benchmarks" ${_cases})
    set_tests_properties(tools.bench.${_class} PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT})
  else()
    message(STATUS "cudax.sync: test tools.bench.${_class} is skipped: python3 was not found")
  endif()
endforeach()

# No command imports from the working directory.
if(CUDAX_SYNC_PYTHON)
  set(_toolkit "${PROJECT_BINARY_DIR}/install/cudax-toolkit")
  if(NOT EXISTS "${_toolkit}") # without CUDA, or without wheels for it
    set(_toolkit "")
  endif()
  add_test(NAME tools.python COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/support/isolated_python.sh" "${PROJECT_SOURCE_DIR}"
           "${CMAKE_CURRENT_BINARY_DIR}/isolated_python" ${_toolkit})
  set_tests_properties(tools.python PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT})
endif()

# The documentation: the program that reads the docstrings, the docstrings and the code blocks, and the site.
if(CUDAX_SYNC_PYTHON)
  add_test(NAME tools.docs.reference COMMAND "${CUDAX_SYNC_PYTHON}" -I -B "${PROJECT_SOURCE_DIR}/tools/documentation/reference_test.py")
  add_test(NAME tools.docs.check COMMAND "${PROJECT_SOURCE_DIR}/tools/docs" --check)
  add_test(NAME tools.docs.site COMMAND "${PROJECT_SOURCE_DIR}/tools/docs" --no-setup --output "${CMAKE_CURRENT_BINARY_DIR}/site")
  set_tests_properties(tools.docs.site PROPERTIES SKIP_RETURN_CODE 77)
  set_tests_properties(tools.docs.reference tools.docs.check tools.docs.site PROPERTIES LABELS docs
                       TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT})
else()
  message(STATUS "cudax.sync: tests tools.docs.* are skipped: python3 was not found")
endif()

add_test(NAME tools.setup COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/support/setup.sh" "${PROJECT_SOURCE_DIR}/tools/setup"
         "${CMAKE_CURRENT_BINARY_DIR}/setup")
set_tests_properties(tools.setup PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:" TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT})

# Other versions of these tools format, and report, otherwise.
function(cudax_is_version_22 result program)
  execute_process(COMMAND "${program}" --version OUTPUT_VARIABLE _version ERROR_QUIET)
  if(NOT _version MATCHES "version 22\\.")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
# cudax_source_test(<test> <tool> <script> <argument>...): <script> <tool's path> <argument>..., skipped aloud without <tool>
function(cudax_source_test name tool script)
  string(TOUPPER "CUDAX_SYNC_${tool}" variable)
  string(REPLACE "-" "_" variable "${variable}")
  set(found TRUE)
  if(${variable})
    cudax_is_version_22(found "${${variable}}")
  endif()
  if(NOT found)
    unset(${variable} CACHE) # another version; 22 may have been installed since
  endif()
  find_program(${variable} NAMES ${tool}-22 ${tool} HINTS /usr/lib/llvm-22/bin
               VALIDATOR cudax_is_version_22 DOC "${tool} 22, for the test ${name}")
  if(${variable})
    set(interpreter bash)
    if(script MATCHES "\\.py$")
      set(interpreter "${CUDAX_SYNC_PYTHON}" -I -B)
    endif()
    add_test(NAME ${name} COMMAND ${interpreter} "${CMAKE_CURRENT_SOURCE_DIR}/support/${script}" "${${variable}}" ${ARGN})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT})
  else()
    message(STATUS "cudax.sync: test ${name} is skipped: ${tool} 22 was not found; run tools/setup, install Debian's "
                   "package ${tool}-22 or set ${variable}")
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: ${tool} 22 was not found")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:")
  endif()
endfunction()
cudax_source_test(format clang-format format.sh "${PROJECT_SOURCE_DIR}" arch modules runtime tests tools)
# cudax_tidy_test(<part> <folder>...): in parts, which run side by side; each takes 10 to 25 s of a processor
function(cudax_tidy_test part)
  cudax_source_test(tidy.${part} clang-tidy tidy.py "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}" ${ARGN})
endfunction()
if(CMAKE_EXPORT_COMPILE_COMMANDS AND CUDAX_SYNC_PYTHON)
  cudax_tidy_test(runtime runtime)
  cudax_tidy_test(tests.runtime tests/runtime)
  if(CUDAX_SYNC_TOOLS AND CUDAX_SYNC_CUDA_FOUND)
    cudax_tidy_test(emulator.check tools/emulator/check)
    cudax_tidy_test(emulator.cuda tools/emulator/cuda)
    cudax_tidy_test(emulator.instructions tools/emulator/instructions)
    cudax_tidy_test(emulator.machine tools/emulator/machine tools/emulator/ptx)
    cudax_tidy_test(tests.check tests/emulator/check)
    cudax_tidy_test(tests.emulator tests/emulator/cuda tests/emulator/instructions tests/emulator/machine tests/emulator/ptx)
  endif()
endif()
