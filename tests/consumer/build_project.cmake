# SPDX-License-Identifier: Apache-2.0
# cmake -P script: builds PROJECT in WORK in the WAY of a user, and runs what came out.
#   source              add_subdirectory of the checkout
#   install             find_package of an install
#   command             bin/cudax++ of an install
#   configuration_file  clang++ --config=.../cudax.cfg of an install
#   readme              as command and as install, with the program and the CMakeLists.txt in README.md instead of PROJECT
cmake_minimum_required(VERSION 3.28)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "consumer.${WAY}: '${command}' ended with ${result}")
  endif()
endfunction()

# A program for a device exits with 77 where there is no device.
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

set(cuda_arguments "")
if(CUDA)
  set(cuda_arguments "-DCUDAToolkit_ROOT=${CUDA_ROOT}")
endif()

# configure(FOLDER ARGUMENT...): PROJECT in WORK/FOLDER
function(configure folder)
  run("${CMAKE_COMMAND}" -S "${WORK}/project" -B "${WORK}/${folder}" -G "${GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${COMPILER}" ${cuda_arguments} ${ARGN})
endfunction()

# build_and_run(FOLDER [PROGRAM...]): these programs; default: all
function(build_and_run folder)
  set(programs ${ARGN})
  if(NOT programs)
    set(programs plain device counter_user)
  endif()
  if(NOT CUDA)
    set(programs plain)
  endif()
  run("${CMAKE_COMMAND}" --build "${WORK}/${folder}" --target ${programs})
  foreach(program IN LISTS programs)
    run_device("${WORK}/${folder}/${program}")
  endforeach()
endfunction()

if(WAY STREQUAL "source")
  # One SM: that the archive holds them all is what every other test builds on. -fno-exceptions: the library's own sources
  # have them all the same.
  set(arguments "-DCUDAX_SYNC_SOURCE=${SOURCE}" -DCUDAX_SYNC_SM=90 -DCMAKE_CXX_FLAGS=-fno-exceptions)
  if(NOT CUDA)
    list(APPEND arguments -DCUDAX_SYNC_CUDA=off)
  endif()
  configure(build ${arguments})
  build_and_run(build plain device)
elseif(WAY STREQUAL "install")
  # The importer's standard and its extensions are the BMIs'; device code of a Debug build links.
  configure(build "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Debug
            -DCMAKE_CXX_STANDARD=23 -DCMAKE_CXX_EXTENSIONS=OFF)
  build_and_run(build)
  # Also where the flags alone ask for the standard.
  configure(flags "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_CXX_FLAGS=-std=c++23)
  build_and_run(flags plain device)
elseif(WAY STREQUAL "command")
  set(ENV{XDG_CACHE_HOME} "${WORK}/cache")
  set(command "${prefix}/bin/cudax++")
  run("${command}" -O2 "${WORK}/project/plain.cpp" -o "${WORK}/plain")
  run("${WORK}/plain")
  run("${command}" -std=c++23 -fno-exceptions -c "${WORK}/project/plain.cpp" -o "${WORK}/plain.o") # other BMIs
  run("${command}" "${WORK}/plain.o" -o "${WORK}/plain23")
  run("${WORK}/plain23")
  # Of two first builds at once the later one leaves nothing behind. CMake runs commands of a pipeline together.
  set(arguments -std=c++26 -c "${WORK}/project/plain.cpp" -o)
  execute_process(COMMAND "${command}" ${arguments} "${WORK}/first.o" COMMAND "${command}" ${arguments} "${WORK}/second.o"
                  RESULTS_VARIABLE results)
  file(GLOB folders RELATIVE "${WORK}/cache/cudax_sync" "${WORK}/cache/cudax_sync/*.*") # BMIs' folders have no dot
  if(NOT results STREQUAL "0;0" OR folders)
    message(FATAL_ERROR "consumer.command: two cudax++ at once ended with ${results} and left '${folders}'")
  endif()
  if(CUDA)
    run("${command}" -O2 --offload-arch=sm_90 "${WORK}/project/device.cu" -o "${WORK}/device")
    run_device("${WORK}/device")
    run("${command}" -O2 --offload-arch=sm_90 -std=c++23 -ffast-math -c "${WORK}/project/device.cu" -o "${WORK}/device.o")
    run("${command}" -O2 "${WORK}/device.o" -o "${WORK}/device23")
    run_device("${WORK}/device23")
    run("${command}" -g --offload-arch=sm_90 -c "${WORK}/project/device.cu" -o "${WORK}/device.o")
    run("${command}" -g "${WORK}/device.o" -o "${WORK}/device_debug")
    run_device("${WORK}/device_debug")
    run("${command}" -O2 -DNAME=value -fPIC -shared "${WORK}/project/counter.cu" -o "${WORK}/libcounter.so")
    run("${command}" "${WORK}/project/counter_user.cpp" "${WORK}/libcounter.so" "-Wl,-rpath,${WORK}" -o "${WORK}/counter_user")
    run("${WORK}/counter_user")
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
  if(NOT readme MATCHES "\n```cmake\n([^`]*)\n```\n")
    message(FATAL_ERROR "consumer.readme: README.md holds no CMakeLists.txt: it begins after a line ```cmake")
  endif()
  file(WRITE "${WORK}/project/CMakeLists.txt" "${CMAKE_MATCH_1}\n")
  file(COPY "${WORK}/answer.cu" DESTINATION "${WORK}/project")
  configure(build "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release)
  run("${CMAKE_COMMAND}" --build "${WORK}/build")
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
