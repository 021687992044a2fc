# SPDX-License-Identifier: Apache-2.0
# cmake -P script: builds PROJECT in WORK in the WAY of a user, and runs what came out.
#   source              add_subdirectory of the checkout
#   install             find_package of an install
#   command             bin/cudax++ of an install
#   configuration_file  clang++ --config=.../cudax.cfg of an install
#   readme              as command, with the program in README.md instead of PROJECT
cmake_minimum_required(VERSION 3.28)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "consumer.${WAY}: '${command}' ended with ${result}")
  endif()
endfunction()

# A device program exits with 77 where there is no device.
function(run_device program)
  execute_process(COMMAND "${program}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0 AND NOT result EQUAL 77)
    message(FATAL_ERROR "consumer.${WAY}: '${program}' ended with ${result}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(COPY "${PROJECT}/" DESTINATION "${WORK}/project")
set(prefix "${WORK}/installed")
if(NOT WAY STREQUAL "source")
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
endif()

if(WAY STREQUAL "source" OR WAY STREQUAL "install")
  set(arguments -S "${WORK}/project" -B "${WORK}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}")
  if(CUDA)
    list(APPEND arguments "-DCUDAToolkit_ROOT=${CUDA_ROOT}")
  endif()
  if(WAY STREQUAL "source")
    # One SM: that the archive holds them all is what every other test builds on.
    list(APPEND arguments "-DCUDAX_SYNC_SOURCE=${SOURCE}" "-DCUDAX_SYNC_SM=90")
    if(NOT CUDA)
      list(APPEND arguments -DCUDAX_SYNC_CUDA=off)
    endif()
  else()
    list(APPEND arguments "-DCMAKE_PREFIX_PATH=${prefix}")
  endif()
  run("${CMAKE_COMMAND}" ${arguments})
  run("${CMAKE_COMMAND}" --build "${WORK}/build")
  run("${WORK}/build/plain")
  if(CUDA)
    run_device("${WORK}/build/device")
  endif()
elseif(WAY STREQUAL "command")
  set(ENV{XDG_CACHE_HOME} "${WORK}/cache")
  set(command "${prefix}/bin/cudax++")
  run("${command}" -O2 "${WORK}/project/plain.cpp" -o "${WORK}/plain")
  run("${WORK}/plain")
  run("${command}" -std=c++23 -fno-exceptions -c "${WORK}/project/plain.cpp" -o "${WORK}/plain.o") # other BMIs
  run("${command}" "${WORK}/plain.o" -o "${WORK}/plain23")
  run("${WORK}/plain23")
  if(CUDA)
    run("${command}" -O2 --offload-arch=sm_90 "${WORK}/project/device.cu" -o "${WORK}/device")
    run_device("${WORK}/device")
    run("${command}" -O2 --offload-arch=sm_90 -std=c++23 -ffast-math -c "${WORK}/project/device.cu" -o "${WORK}/device.o")
    run("${command}" -O2 "${WORK}/device.o" -o "${WORK}/device23")
    run_device("${WORK}/device23")
  endif()
elseif(WAY STREQUAL "configuration_file")
  run("${COMPILER}" "--config=${prefix}/lib/cudax_sync/cudax.cfg" --offload-arch=sm_90 -O2
      "${WORK}/project/device.cu" -o "${WORK}/device")
  run_device("${WORK}/device")
elseif(WAY STREQUAL "readme")
  file(READ "${SOURCE}/README.md" readme)
  if(NOT readme MATCHES "\n```cpp\n([^`]*)\n```\n")
    message(FATAL_ERROR "consumer.readme: README.md holds no program: it begins after a line ```cpp")
  endif()
  file(WRITE "${WORK}/answer.cu" "${CMAKE_MATCH_1}\n")
  set(ENV{XDG_CACHE_HOME} "${WORK}/cache")
  run("${prefix}/bin/cudax++" -O2 "${WORK}/answer.cu" -o "${WORK}/answer")
  execute_process(COMMAND "${WORK}/answer" RESULT_VARIABLE result OUTPUT_VARIABLE output)
  message("${output}")
  # Where it cannot run it says what lacks.
  if(NOT (result EQUAL 0 AND output STREQUAL "the GPU says 42\n") AND
     NOT (result EQUAL 1 AND output MATCHES "^cudax.sync: make_mapped: .*driver"))
    message(FATAL_ERROR "consumer.readme: the program in README.md ended with ${result}")
  endif()
else()
  message(FATAL_ERROR
    "build_project.cmake: WAY is '${WAY}'; use source, install, command, configuration_file or readme")
endif()
