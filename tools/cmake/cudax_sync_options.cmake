# SPDX-License-Identifier: Apache-2.0
# The options, and the variables that they determine: CUDAX_SYNC_CUDA_FOUND, CUDAX_SYNC_ARCHIVE_SM,
# CUDAX_SYNC_DEFAULT_SM.

set(_default auto)
if(DEFINED ENV{CUDAX_SYNC_CUDA}) # build/setup/environment.sh
  set(_default "$ENV{CUDAX_SYNC_CUDA}")
endif()
set(CUDAX_SYNC_CUDA "${_default}" CACHE STRING "Build the CUDA flavour: auto (if a toolkit is found), on, off")
set_property(CACHE CUDAX_SYNC_CUDA PROPERTY STRINGS auto on off)
set(CUDAX_SYNC_SM "" CACHE STRING "SMs of the archive, like 80;90;100a; empty: all that compiler and toolkit support")
set(CUDAX_SYNC_CUDA_VERSION "" CACHE STRING "The CUDA toolkit's version, like 13.5; another one is an error; empty: any")
option(CUDAX_SYNC_CHECKED "Stop on misuse that cannot be detected at compile time" OFF)
option(CUDAX_SYNC_INSTALL "Create the install rules" ${PROJECT_IS_TOP_LEVEL})
option(CUDAX_SYNC_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(CUDAX_SYNC_TOOLS "Build the demo and the other tools" ${PROJECT_IS_TOP_LEVEL})

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
  message(FATAL_ERROR
    "cudax.sync: the compiler is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER}), but "
    "modules in CUDA mode need clang 22 or later. Run tools/setup, or set CMAKE_CXX_COMPILER to clang++-22.")
endif()

if(NOT CMAKE_GENERATOR MATCHES "Ninja")
  message(FATAL_ERROR
    "cudax.sync: the generator is ${CMAKE_GENERATOR}, which cannot build C++20 modules. Configure an empty build folder "
    "with -G Ninja or -G \"Ninja Multi-Config\".")
endif()

string(TOLOWER "${CUDAX_SYNC_CUDA}" _wanted)
if(NOT _wanted MATCHES "^(auto|on|off)$")
  message(FATAL_ERROR "cudax.sync: CUDAX_SYNC_CUDA is '${CUDAX_SYNC_CUDA}'; use auto, on or off.")
endif()

set(CUDAX_SYNC_CUDA_FOUND FALSE)
if(NOT _wanted STREQUAL off)
  find_package(CUDAToolkit 12.8 QUIET GLOBAL) # GLOBAL: for a project that adds this one as a subdirectory
  if(CUDAToolkit_FOUND)
    set(CUDAX_SYNC_CUDA_FOUND TRUE)
  elseif(_wanted STREQUAL on)
    message(FATAL_ERROR
      "cudax.sync: CUDAX_SYNC_CUDA is on, but no CUDA toolkit 12.8 or later was found. Run tools/setup, or set "
      "CUDAToolkit_ROOT to the folder that holds bin/ptxas, or set CUDAX_SYNC_CUDA to off for the host alone.")
  else()
    message(STATUS "cudax.sync: no CUDA toolkit 12.8 or later was found: host-only build (CUDAX_SYNC_CUDA=auto)")
  endif()
endif()

if(CUDAX_SYNC_CUDA_FOUND)
  include(cudax_sync_cuda)
  if(NOT CUDAX_SYNC_CUDA_VERSION STREQUAL "" AND
     NOT CUDAX_SYNC_CUDA_VERSION STREQUAL "${CUDAToolkit_VERSION_MAJOR}.${CUDAToolkit_VERSION_MINOR}")
    message(FATAL_ERROR
      "cudax.sync: CUDAX_SYNC_CUDA_VERSION is ${CUDAX_SYNC_CUDA_VERSION}, but the toolkit in ${CUDAX_SYNC_CUDA_PATH} is CUDA "
      "${CUDAToolkit_VERSION}. Run tools/setup --cuda-version ${CUDAX_SYNC_CUDA_VERSION}, source build/setup/environment.sh, "
      "and configure an empty build folder.")
  endif()
  include("${CMAKE_CURRENT_LIST_DIR}/../../arch/generations.cmake")
  # The SMs of the table that ptxas also supports.
  execute_process(COMMAND "${CUDAX_SYNC_CUDA_PATH}/bin/ptxas" --help OUTPUT_VARIABLE _ptxas_help RESULT_VARIABLE _result)
  if(NOT _result EQUAL 0)
    message(FATAL_ERROR "cudax.sync: ${CUDAX_SYNC_CUDA_PATH}/bin/ptxas does not run (${_result}); set CUDAToolkit_ROOT to "
                        "a complete CUDA toolkit, or CUDAX_SYNC_CUDA to off.")
  endif()
  set(_supported "")
  foreach(_sm IN LISTS CUDAX_SYNC_KNOWN_SM)
    if(_ptxas_help MATCHES "'sm_${_sm}'")
      list(APPEND _supported ${_sm})
    endif()
  endforeach()
  if(CUDAX_SYNC_SM STREQUAL "")
    set(CUDAX_SYNC_ARCHIVE_SM ${_supported})
    list(REMOVE_ITEM CUDAX_SYNC_ARCHIVE_SM ${CUDAX_SYNC_UNUSUAL_SM})
  else()
    set(CUDAX_SYNC_ARCHIVE_SM ${CUDAX_SYNC_SM})
    foreach(_sm IN LISTS CUDAX_SYNC_SM)
      if(NOT _sm IN_LIST _supported)
        _cudax_sync_not_compiled(_reason ${_sm})
        if(_reason)
          message(FATAL_ERROR "cudax.sync: CUDAX_SYNC_SM names sm_${_sm}: ${_reason}.")
        endif()
        message(FATAL_ERROR "cudax.sync: CUDAX_SYNC_SM names sm_${_sm}, but clang ${CMAKE_CXX_COMPILER_VERSION} with CUDA "
                            "${CUDAToolkit_VERSION} supports only: ${_supported}.")
      endif()
    endforeach()
  endif()
  # Those of programs that name none. Code for one of them runs on newer SMs of its major generation.
  set(CUDAX_SYNC_DEFAULT_SM "")
  foreach(_sm IN LISTS CUDAX_SYNC_PROGRAM_SM)
    if(_sm IN_LIST CUDAX_SYNC_ARCHIVE_SM)
      list(APPEND CUDAX_SYNC_DEFAULT_SM ${_sm})
    endif()
  endforeach()
  if(NOT CUDAX_SYNC_DEFAULT_SM)
    set(CUDAX_SYNC_DEFAULT_SM ${CUDAX_SYNC_ARCHIVE_SM})
  endif()
  message(STATUS "cudax.sync: CUDA ${CUDAToolkit_VERSION} in ${CUDAX_SYNC_CUDA_PATH}, SMs ${CUDAX_SYNC_ARCHIVE_SM}")
endif()
