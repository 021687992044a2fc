# SPDX-License-Identifier: Apache-2.0
# cmake -P script: builds PROJECT in WORK in one WAY that a user may choose, and runs the programs.
#   source              add_subdirectory of the checkout
#   install             find_package of an install
#   checkout            another checkout, installed in folders with a different layout
#   command             bin/cudax++ of an install
#   configuration_file  clang++ --config=.../cudax.cfg of an install
#   readme              as command and as install, with README.md's program and CMakeLists.txt instead of PROJECT
#   package             the .deb packages and the .tar.gz, with a toolkit and without
cmake_minimum_required(VERSION 3.28)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "consumer.${WAY}: '${command}' ended with ${result}")
  endif()
endfunction()

# fails_with(PATTERN COMMAND...): the command must fail with an output that matches PATTERN
function(fails_with pattern)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}") # as CMake wraps its lines
  if(result EQUAL 0 OR NOT output MATCHES "${pattern}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "consumer.${WAY}: '${command}' ended with ${result} and not with '${pattern}': ${output}")
  endif()
endfunction()

# uses_shared_library(PROGRAM): it needs the shared library, and runs
function(uses_shared_library program)
  run(grep -q "libcudax_sync_process[.]so[.]1" "${program}")
  run("${program}")
endfunction()

# run_device(PROGRAM): runs a program that needs a device: on the emulator if there is one. Without a device the program
# exits with 77.
function(run_device program)
  if(EMULATE)
    run("${EMULATE}" --build "${BUILD}" --sm 90 "${program}")
    return()
  endif()
  execute_process(COMMAND "${program}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0 AND NOT result EQUAL 77)
    message(FATAL_ERROR "consumer.${WAY}: '${program}' ended with ${result}")
  endif()
endfunction()

# links_device_code(COMMAND...): this command, for sm_90, links device.cu to PTX that names the state space of the kernel's
# parameter, because it passes the passes of the device link; and it uses the tools of the device link. Only the link keeps
# its temporary files: to compile with them, clang preprocesses first, and then rejects make_unsigned.h of CUDA 13.5.
function(links_device_code)
  set(folder "${WORK}/temporaries")
  file(REMOVE_RECURSE "${folder}")
  file(MAKE_DIRECTORY "${folder}")
  run("${CMAKE_COMMAND}" -E chdir "${folder}" ${ARGN} -c "${WORK}/project/device.cu" -o device.o)
  run("${CMAKE_COMMAND}" -E chdir "${folder}" ${ARGN} device.o -save-temps -o device)
  file(GLOB ptx "${folder}/*.nvptx64.sm_90.s")
  file(STRINGS "${ptx}" atomics REGEX "[ \t](atom|red|isspacep)[.]")
  if(NOT atomics MATCHES "^[ \t]*atom.acq_rel.gpu.global.add.u32 [^;]*;?$")
    message(FATAL_ERROR "consumer.${WAY}: '${ARGN}' does not know the state space of a kernel's parameter: ${atomics}")
  endif()
  is_whole_program("${folder}")
endfunction()

# is_whole_program(FOLDER): the machine code for sm_90 that a link with -save-temps has left in the folder is that of a
# whole program: a release has no instructions for code that ptxas does not see (tools/cmake/cuda_tool.in).
function(is_whole_program folder)
  if(NOT NVDISASM)
    message("consumer.${WAY}: the machine code is not checked: nvdisasm was not found")
    return()
  endif()
  file(GLOB image "${folder}/*.nvptx64.sm_90.img")
  execute_process(COMMAND "${NVDISASM}" -c "${image}" OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
  if(NOT code MATCHES "MEMBAR[.]ALL[.](GPU|SYS)" OR code MATCHES "MEMBAR[.]ALL[.]CTA")
    message(FATAL_ERROR "consumer.${WAY}: ${image} has no release, or is not compiled as a whole program: ${code}")
  endif()
endfunction()

# plant_headers(FOLDER): headers of the names that cudax.sync includes, of which no command with that working directory may
# include one
function(plant_headers folder)
  foreach(name cuda cuda_keywords)
    file(WRITE "${folder}/cudax/${name}.hpp" "#error from the working directory\n")
  endforeach()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(COPY "${PROJECT}/" DESTINATION "${WORK}/project")
set(prefix "${WORK}/installed")
if(NOT WAY MATCHES "^(source|checkout|package)$")
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
endif()

set(cuda_arguments "")
if(CUDA)
  set(cuda_arguments "-DCUDAToolkit_ROOT=${CUDA_ROOT}")
endif()

# configure(FOLDER ARGUMENT...): configures PROJECT in WORK/FOLDER
function(configure folder)
  run("${CMAKE_COMMAND}" -S "${WORK}/project" -B "${WORK}/${folder}" -G "${GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${COMPILER}" ${cuda_arguments} ${ARGN})
endfunction()

# build_and_run(FOLDER [CONFIG name] [PROGRAM...]): builds and runs these programs; default: all
function(build_and_run folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" CONFIG "")
  set(programs ${arg_UNPARSED_ARGUMENTS})
  set(config "")
  if(arg_CONFIG)
    set(config --config ${arg_CONFIG})
  endif()
  if(NOT programs)
    set(programs plain device counter_user)
  endif()
  if(NOT CUDA)
    set(programs plain)
  endif()
  run("${CMAKE_COMMAND}" --build "${WORK}/${folder}" ${config} --target ${programs})
  foreach(program IN LISTS programs)
    run_device("${WORK}/${folder}/${arg_CONFIG}/${program}")
  endforeach()
endfunction()

if(WAY STREQUAL "source")
  # One SM: every other test already covers an archive with all of them. -fno-exceptions: the library's own sources are
  # still compiled with exceptions. Debug: the archive's device code links, too.
  set(arguments "-DCUDAX_SYNC_SOURCE=${SOURCE}" -DCUDAX_SYNC_SM=90 -DCMAKE_CXX_FLAGS=-fno-exceptions
      -DCMAKE_BUILD_TYPE=Debug)
  if(NOT CUDA)
    list(APPEND arguments -DCUDAX_SYNC_CUDA=off)
  endif()
  configure(build ${arguments})
  build_and_run(build plain device)
  run("${CMAKE_COMMAND}" --build "${WORK}/build" --target waits)
  uses_shared_library("${WORK}/build/waits")
  fails_with("the generator is Unix Makefiles, .* with -G Ninja"
    "${CMAKE_COMMAND}" -S "${WORK}/project" -B "${WORK}/makefiles" -G "Unix Makefiles" ${arguments}
    "-DCMAKE_MAKE_PROGRAM=${CMAKE_COMMAND}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_CXX_COMPILER_FORCED=ON)
elseif(WAY STREQUAL "install")
  # The BMIs are built with the importer's standard and extensions; the device code of a Debug build links.
  configure(build "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Debug
            -DCMAKE_CXX_STANDARD=23 -DCMAKE_CXX_EXTENSIONS=OFF -DBUILD_SHARED_LIBS=ON)
  build_and_run(build plain counter_user)
  run("${CMAKE_COMMAND}" --build "${WORK}/build" --target waits)
  uses_shared_library("${WORK}/build/waits")
  if(CUDA)
    file(STRINGS "${WORK}/build/build.ninja" passes REGEX "LINK_FLAGS = .*-Xoffload-linker .*--lto-newpm-passes=")
    list(LENGTH passes programs)
    if(programs LESS 2) # a program, and one that links a static library with kernels
      message(FATAL_ERROR "consumer.install: ${programs} programs are linked with the passes of the device link, and not two or more")
    endif()
  endif()
  # The standard is given only in the flags; the configuration is chosen at build time; the library with kernels is
  # static. No step warns. A unity build joins no source that imports modules. The build above has the default SMs. All
  # imports of a line are found, and a comment declares no module.
  file(READ "${WORK}/project/scale.cppm" text)
  string(REPLACE "export import :factor;\nimport cudax.sync;" "import cudax.sync; export import :factor;" one_line "${text}")
  if(one_line STREQUAL text)
    message(FATAL_ERROR "consumer.install: scale.cppm does not import what the test moves to one line")
  endif()
  file(WRITE "${WORK}/project/scale.cppm" "${one_line}")
  file(READ "${WORK}/project/scale_user.cu" text)
  file(WRITE "${WORK}/project/scale_user.cu" "/* Not one of the\nmodule units; it imports.\n*/\n${text}")
  set(GENERATOR "Ninja Multi-Config")
  configure(flags "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_FLAGS=-std=c++23 -Werror" -DCONSUMER_SM=90
            -DCMAKE_UNITY_BUILD=ON)
  build_and_run(flags CONFIG Debug plain device counter_user outer_user scale_user)
  if(CUDA)
    # The sources that import a module are compiled again after a change of a header of it, and nothing else is.
    file(TOUCH "${WORK}/project/scale.hpp")
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/flags" --config Debug --target scale_user -- -n -v OUTPUT_VARIABLE steps
                    COMMAND_ERROR_IS_FATAL ANY)
    foreach(source scale_user.cu scale_function.cu scale.cppm)
      if(NOT steps MATCHES " -c [^ ]*/${source}[^a-z]")
        message(FATAL_ERROR "consumer.install: ${source} is not compiled again after a change of a module's header: ${steps}")
      endif()
    endforeach()
    if(steps MATCHES "/scale_factor\\.cppm[ \n]")
      message(FATAL_ERROR "consumer.install: scale_factor.cppm is compiled again, although nothing of it has changed: ${steps}")
    endif()
  endif()
  fails_with("the generator is Unix Makefiles, .* with -G Ninja"
    "${CMAKE_COMMAND}" -S "${WORK}/project" -B "${WORK}/makefiles" -G "Unix Makefiles" "-DCMAKE_PREFIX_PATH=${prefix}"
    "-DCMAKE_MAKE_PROGRAM=${CMAKE_COMMAND}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_CXX_COMPILER_FORCED=ON)
  if(CUDA)
    # A toolkit of another major version: the same toolkit with another version number.
    set(other "${WORK}/cuda-99.0")
    file(MAKE_DIRECTORY "${other}/bin")
    file(GLOB tools RELATIVE "${CUDA_ROOT}/bin" "${CUDA_ROOT}/bin/*")
    foreach(tool IN LISTS tools)
      file(CREATE_LINK "${CUDA_ROOT}/bin/${tool}" "${other}/bin/${tool}" SYMBOLIC)
    endforeach()
    foreach(folder include lib lib64 nvvm)
      file(CREATE_LINK "${CUDA_ROOT}/${folder}" "${other}/${folder}" SYMBOLIC)
    endforeach()
    file(REMOVE "${other}/bin/nvcc") # CMake runs nvcc to get the version
    file(WRITE "${other}/bin/nvcc"
      "#!/bin/sh\n[ \"$1\" != --version ] || { echo 'release 99.0, V99.0.1'; exit; }\nexec '${CUDA_ROOT}/bin/nvcc' \"$@\"\n")
    file(CHMOD "${other}/bin/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    fails_with("built with CUDA [0-9.]+, but .* is CUDA 99.0.1: set CUDAToolkit_ROOT"
      "${CMAKE_COMMAND}" -S "${WORK}/project" -B "${WORK}/other_cuda" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
      "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCUDAToolkit_ROOT=${other}")
  endif()
  if(CUDA)
    fails_with("no CUDA toolkit 12.8 or later was found: set CUDAToolkit_ROOT"
      "${CMAKE_COMMAND}" -S "${WORK}/project" -B "${WORK}/no_cuda" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
      "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCUDAX_SYNC_CUDA=on -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
    # The package is found in one folder and used in others. Sources are added from several folders, for which the BMIs
    # are built once. A source in two targets has the options of each. A warning names SMs whose image lacks kernels.
    set(several "${WORK}/several")
    file(WRITE "${several}/CMakeLists.txt"
      "cmake_minimum_required(VERSION 3.28)\nproject(several CXX)\nadd_subdirectory(found)\nadd_executable(program)\n"
      "cudax_sync_cuda_sources(program first.cu SM 80)\nadd_subdirectory(more)\n"
      "add_executable(other)\ncudax_sync_cuda_sources(other first.cu SM 90)\n")
    file(WRITE "${several}/found/CMakeLists.txt" "find_package(cudax_sync REQUIRED GLOBAL)\n")
    file(WRITE "${several}/more/CMakeLists.txt" "cudax_sync_cuda_sources(program second.cu SM 80 90)\n")
    file(WRITE "${several}/first.cu" "")
    file(WRITE "${several}/more/second.cu" "")
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${several}" -B "${several}/build" -G Ninja "-DCMAKE_PREFIX_PATH=${prefix}"
      "-DCMAKE_CXX_COMPILER=${COMPILER}" ${cuda_arguments} ERROR_VARIABLE warnings COMMAND_ERROR_IS_FATAL ANY)
    file(READ "${several}/build/build.ninja" rules)
    if(rules MATCHES "more/program\\.cudax_sync/" OR NOT rules MATCHES "/program\\.cudax_sync/options")
      message(FATAL_ERROR "consumer.install: the BMIs of a target are not the same ones from each folder")
    endif()
    foreach(which "program 80" "other 90")
      separate_arguments(which)
      list(GET which 0 target)
      list(GET which 1 sm)
      if(NOT rules MATCHES "build CMakeFiles/${target}\\.dir/first\\.cu\\.o([^\n]*\n)[^\n]*\n?([^\n]+\n)* *FLAGS = [^\n]*arch=sm_${sm} [^\n]*@[^ ]*/${target}\\.cudax_sync/options")
        message(FATAL_ERROR "consumer.install: first.cu, a source of two targets, does not have the options of '${target}'")
      endif()
    endforeach()
    string(REGEX REPLACE "[ \n]+" " " warnings "${warnings}") # as CMake wraps its lines
    if(NOT warnings MATCHES "compiled for SM 80, others")
      message(FATAL_ERROR "consumer.install: no warning of kernels that the image for SM 90 lacks: ${warnings}")
    endif()
  endif()
elseif(WAY STREQUAL "checkout")
  foreach(part arch modules runtime tools CHANGELOG.md CMakeLists.txt LICENSE)
    file(COPY "${SOURCE}/${part}" DESTINATION "${WORK}/another checkout")
  endforeach()
  set(arguments "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" "-DCUDAX_SYNC_CHECKED=${CHECKED}")
  if(NOT CUDA)
    list(APPEND arguments -DCUDAX_SYNC_CUDA=off)
  endif()
  run("${CMAKE_COMMAND}" -S "${WORK}/another checkout" -B "${WORK}/library" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
      ${cuda_arguments} ${arguments} -DCUDAX_SYNC_TESTS=OFF -DCUDAX_SYNC_TOOLS=OFF -DCUDAX_SYNC_SM=90
      "-DCMAKE_INSTALL_PREFIX=${WORK}/prefix" "-DCMAKE_INSTALL_LIBDIR=${WORK}/libraries/here"
      "-DCMAKE_INSTALL_DATADIR=${WORK}/data" -DCMAKE_INSTALL_BINDIR=commands/of/mine)
  run("${CMAKE_COMMAND}" --build "${WORK}/library")
  run("${CMAKE_COMMAND}" --install "${WORK}/library")
  # The parts of the install find each other: the package when a project is configured, the command when it uses the
  # units, the archive and the tools.
  configure(build "-Dcudax_sync_DIR=${WORK}/libraries/here/cmake/cudax_sync")
  set(ENV{XDG_CACHE_HOME} "${WORK}/cache")
  set(command "${WORK}/prefix/commands/of/mine/cudax++")
  run("${command}" -O2 -c "${WORK}/project/plain.cpp" -o "${WORK}/plain.o")
  run("${command}" -O2 "${WORK}/plain.o" -o "${WORK}/plain")
  run("${WORK}/plain")
  if(CUDA)
    # A toolkit in a folder whose name contains a space, and what a shell would execute.
    set(toolkit "${WORK}/cuda $(touch executed)")
    file(CREATE_LINK "${CUDA_ROOT}" "${toolkit}" SYMBOLIC)
    run("${CMAKE_COMMAND}" -S "${WORK}/another checkout" -B "${WORK}/space" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
        "-DCUDAToolkit_ROOT=${toolkit}" -DCUDAX_SYNC_TESTS=OFF -DCUDAX_SYNC_TOOLS=OFF)
    file(READ "${WORK}/space/config_file/cudax.cfg" config)
    string(FIND "${config}" "${toolkit}" unescaped)
    string(REPLACE " " "\\ " escaped "${toolkit}")
    string(FIND "${config}" "${escaped}" escaped)
    if(escaped EQUAL -1 OR NOT unescaped EQUAL -1)
      message(FATAL_ERROR "consumer.checkout: cudax.cfg does not escape the space in the toolkit's folder: ${config}")
    endif()
    set(folder "${WORK}/space")
    run("${CMAKE_COMMAND}" -E chdir "${folder}" bin/cudax++ --help)
    run("${CMAKE_COMMAND}" -E chdir "${folder}" config_file/bin/ptxas --version)
    if(EXISTS "${folder}/executed")
      message(FATAL_ERROR "consumer.checkout: the commands execute what is in the name of the toolkit's folder")
    endif()
  endif()
  # The archive equals that of BUILD, which is in another folder: each member of host code byte by byte, the device code
  # for one SM as text. The text is compared without the numbers that encode the source positions of asm statements:
  # they depend on the list of all SMs, which differs here.
  set(first "")
  foreach(from "${BUILD}" "${WORK}/library")
    string(SHA256 folder "${from}")
    string(SUBSTRING "${folder}" 0 8 folder)
    set(folder "${WORK}/members_${folder}")
    file(MAKE_DIRECTORY "${folder}/device")
    execute_process(COMMAND "${AR}" x "${from}/libcudax_sync.a" WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB members RELATIVE "${folder}" "${folder}/*.o")
    list(FILTER members EXCLUDE REGEX "\\.cu\\.o$")
    set(hashes "")
    foreach(member IN LISTS members)
      file(SHA256 "${folder}/${member}" hash)
      list(APPEND hashes "${member} ${hash}")
    endforeach()
    if(CUDA)
      cmake_path(REPLACE_FILENAME OFFLOAD_BINARY llvm-dis OUTPUT_VARIABLE disassemble)
      run("${OFFLOAD_BINARY}" "${from}/libcudax_sync.a" --archive
          "--image=file=${folder}/device.a,triple=nvptx64-nvidia-cuda,arch=sm_90")
      execute_process(COMMAND "${AR}" x ../device.a WORKING_DIRECTORY "${folder}/device" COMMAND_ERROR_IS_FATAL ANY)
      file(GLOB members RELATIVE "${folder}/device" "${folder}/device/*")
      foreach(member IN LISTS members)
        execute_process(COMMAND "${disassemble}" "${member}" -o - WORKING_DIRECTORY "${folder}/device" OUTPUT_VARIABLE text
                        COMMAND_ERROR_IS_FATAL ANY)
        string(REGEX REPLACE "= !{i64 [0-9]+}" "" text "${text}")
        string(SHA256 hash "${text}")
        list(APPEND hashes "device code of ${member} ${hash}")
      endforeach()
    endif()
    list(LENGTH hashes count)
    if(count LESS 30)
      message(FATAL_ERROR "consumer.checkout: only ${count} members in ${from}/libcudax_sync.a: ${hashes}")
    endif()
    if(first)
      list(REMOVE_ITEM hashes ${first})
      if(hashes)
        message(FATAL_ERROR "consumer.checkout: of ${count} members these differ from those of ${BUILD}: ${hashes}")
      endif()
    endif()
    set(first ${hashes})
  endforeach()
elseif(WAY STREQUAL "command")
  # A cache folder whose name a shell must not interpret. Other users may read its content.
  set(cache "${WORK}/it's $(touch executed)'s")
  set(ENV{XDG_CACHE_HOME} "${cache}")
  set(command "${prefix}/bin/cudax++")
  run(bash -c "umask 022 && exec \"$@\"" umask "${command}" -O2 "${WORK}/project/plain.cpp" -o "${WORK}/plain")
  execute_process(COMMAND find "${cache}" -type d ! -perm -005 OUTPUT_VARIABLE private COMMAND_ERROR_IS_FATAL ANY)
  if(private)
    message(FATAL_ERROR "consumer.command: with umask 022 other users cannot read ${private}")
  endif()
  file(GLOB folder "${cache}/cudax_sync/plain-*") # of this installation
  # An installation of the same content elsewhere has its own BMIs: BMIs name their source files.
  file(COPY "${prefix}/" DESTINATION "${WORK}/elsewhere")
  run("${WORK}/elsewhere/bin/cudax++" -c "${WORK}/project/plain.cpp" -o "${WORK}/plain.o")
  file(GLOB folders "${cache}/cudax_sync/plain-*")
  list(LENGTH folders count)
  if(NOT count EQUAL 2)
    message(FATAL_ERROR "consumer.command: two installations have ${count} folders of BMIs: ${folders}")
  endif()
  fails_with("does not compile" "${command}" -fno-such-option -c "${WORK}/project/plain.cpp" -o "${WORK}/none.o")
  # BMIs that another user may have changed are not used: of a folder, of a file, of the cache, below a folder for all users.
  file(GLOB_RECURSE file "${folder}/*cudax.sync.pcm")
  set(compile "${command}" -c "${WORK}/project/plain.cpp" -o "${WORK}/none.o")
  set(others "could have been changed by another user")
  foreach(changed "${folder}" "${file}" "${cache}/cudax_sync")
    run(chmod o+w "${changed}")
    fails_with("${others}.* delete .*, or set XDG_CACHE_HOME to a folder of your own" ${compile})
    run(chmod o-w "${changed}")
    execute_process(COMMAND chown 1:1 "${changed}" RESULT_VARIABLE result ERROR_QUIET) # only root can
    if(result EQUAL 0)
      fails_with("which belongs to [a-z]+ and has the mode [0-9]+, ${others}" ${compile})
      run(chown 0:0 "${changed}")
    endif()
  endforeach()
  # Nobody else can replace the cache, from any folder above it. With the sticky bit every user may write there; a group may.
  run(chmod g+w "${WORK}")
  run(${compile})
  run(chmod g-w "${WORK}")
  foreach(changed "${cache}" "${WORK}")
    run(chmod o+w "${changed}")
    fails_with("another user can replace what is in .*, which belongs to .* and has the mode .* set XDG_CACHE_HOME to" ${compile})
    run(chmod +t "${changed}")
    run(${compile})
    run(chmod o-w,-t "${changed}")
    execute_process(COMMAND chown 1:1 "${changed}" RESULT_VARIABLE result ERROR_QUIET) # only root can
    if(result EQUAL 0)
      fails_with("another user can replace what is in .*, which belongs to [a-z]+ and" ${compile})
      run(chown 0:0 "${changed}")
    endif()
  endforeach()
  if(EXISTS "${WORK}/executed" OR EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/executed" OR EXISTS "executed")
    message(FATAL_ERROR "consumer.command: the name in XDG_CACHE_HOME was executed")
  endif()
  run("${CMAKE_COMMAND}" -E env --unset=HOME --unset=XDG_CACHE_HOME "${command}" --help)
  # A response file with a name that contains a space; names after -- that begin like options and response files.
  file(COPY_FILE "${WORK}/project/plain.cpp" "${WORK}/plain source.cpp")
  file(WRITE "${WORK}/more" "-o \"${WORK}/plain \\\"at\\\"\"\n")
  file(WRITE "${WORK}/arguments" "-O2 '${WORK}/plain source.cpp'\n @${WORK}/more\n")
  run("${command}" "@${WORK}/arguments")
  # The time for a response file grows with its length: 20,000 names take seconds.
  execute_process(COMMAND seq -f "/a/folder/of/objects/name_%g.o" 20000 OUTPUT_VARIABLE names)
  string(REPLACE "\n" " " names "${names}")
  file(WRITE "${WORK}/names" "${names}")
  execute_process(COMMAND "${command}" "@${WORK}/names" --help OUTPUT_QUIET TIMEOUT 120 COMMAND_ERROR_IS_FATAL ANY)
  run("${WORK}/plain \"at\"")
  foreach(name -plain.cpp @plain.cpp)
    file(COPY_FILE "${WORK}/project/plain.cpp" "${WORK}/${name}")
    execute_process(COMMAND "${command}" -O2 -o named -- ${name} WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
    run("${WORK}/named")
  endforeach()
  run("${WORK}/plain")
  # Other BMIs. No umask lets other users change them.
  run(bash -c "umask 000 && exec \"$@\"" umask "${command}" -std=c++23 -fno-exceptions -c "${WORK}/project/plain.cpp" -o "${WORK}/plain.o")
  run("${command}" --std=c++23 -fno-exceptions -c "${WORK}/project/plain.cpp" -o "${WORK}/plain.o") # the same ones
  run("${command}" "${WORK}/plain.o" -o "${WORK}/plain23")
  run("${WORK}/plain23")
  file(WRITE "${WORK}/own.cppm" "export module own;\nimport cudax.sync;\nexport cudax::atomic<int>& own();\n")
  run("${command}" -O2 -fmodule-output -c "${WORK}/own.cppm" -o "${WORK}/own.o")
  # A module of the program: in one command; and by several, which share a folder.
  file(WRITE "${WORK}/own_user.cpp" "import own;\nint main() { return own().load(); }\n")
  file(WRITE "${WORK}/own.cppm" "export module own;\nimport cudax.sync;\nexport cudax::atomic<int>& own() {\n"
                                "  static cudax::atomic<int> own = 0;\n  return own;\n}\n")
  run("${command}" -O2 "${WORK}/own_user.cpp" "${WORK}/own.cppm" -o "${WORK}/own_user")
  run("${WORK}/own_user")
  run("${command}" -O2 "--bmi-folder=${WORK}/bmis" -c "${WORK}/own.cppm" -o "${WORK}/own.o")
  run("${command}" -O2 "--bmi-folder=${WORK}/bmis" "${WORK}/own_user.cpp" "${WORK}/own.o" -o "${WORK}/own_user")
  run("${WORK}/own_user")
  # The folder holds no BMI that another user may have changed, and cudax++ writes none.
  set(compile "${command}" -O2 "--bmi-folder=${WORK}/bmis" -c "${WORK}/own.cppm" -o "${WORK}/own.o")
  foreach(changed bmis/plain/own.pcm bmis/plain bmis)
    run(chmod o+w "${WORK}/${changed}")
    fails_with("another user.* a folder of your own with --bmi-folder" ${compile})
    run(chmod o-w "${WORK}/${changed}")
  endforeach()
  file(REMOVE_RECURSE "${WORK}/bmis")
  run(bash -c "umask 000 && exec \"$@\"" umask ${compile})
  run(${compile})
  # All imports of a line, the units in any order, a declaration of two lines. What a comment says, or what follows a
  # declaration, declares no module.
  set(units "")
  foreach(name a b c)
    list(APPEND units "${WORK}/${name}.cppm")
  endforeach()
  file(WRITE "${WORK}/a.cppm" "/*\n module widgets;\n*/\nmodule;\n#define A \"/*\"\nexport\nmodule a; import b; import c;\nexport int a();\n")
  file(WRITE "${WORK}/b.cppm" "export module b; import cudax.sync; export import c;\nexport int b();\n")
  file(WRITE "${WORK}/c.cppm" "export module\nc;\nexport int c();\n")
  run("${command}" -fsyntax-only ${units})
  list(REVERSE units)
  run("${command}" -fsyntax-only ${units})
  file(WRITE "${WORK}/none.cppm" "// export module none;\nint f();\n")
  fails_with("none.cppm declares no module; begin it with" "${command}" -fsyntax-only "${WORK}/none.cppm")
  # In plain C++ CUDA's keywords mean nothing, also where a header of CUDA has defined them.
  file(WRITE "${WORK}/keywords.cpp" "#define __host__ __attribute__((host))\n#include <cudax/cuda.hpp>\n"
                                    "__host__ __device__ int f() { return 1; }\n"
                                    "__device__ __forceinline__ int g() { return 1; }\n__managed__ int h;\n"
                                    "__global__ __cluster_dims__(2, 1) __maxnreg__(32) void k() {}\n")
  run("${COMPILER}" -std=c++20 -Wall -Wextra -Werror "-I${SOURCE}/modules/include" -fsyntax-only "${WORK}/keywords.cpp")
  file(COPY_FILE "${WORK}/own.cppm" "${WORK}/own_twice.cppm")
  file(WRITE "${WORK}/other.cppm" "export module other;\nimport own;\n")
  file(WRITE "${WORK}/own.cppm" "export module own;\nimport other;\n")
  fails_with("these module units import each other: .*; move what both need to a third module"
    "${command}" -c "${WORK}/own.cppm" "${WORK}/other.cppm")
  fails_with("both .* and .* declare the module own" "${command}" -c "${WORK}/own.cppm" "${WORK}/own_twice.cppm")
  fails_with("-x c: the suffix says what a source is" "${command}" -x c "${WORK}/own_user.cpp")
  fails_with("the last argument, -D, lacks its value" "${command}" "${WORK}/own_user.cpp" -D)
  # If two commands build the same BMIs at the same time, the later one leaves no files. CMake runs the commands of a
  # pipeline at the same time.
  set(arguments -std=c++26 -c "${WORK}/project/plain.cpp" -o)
  execute_process(COMMAND "${command}" ${arguments} "${WORK}/first.o" COMMAND "${command}" ${arguments} "${WORK}/second.o"
                  RESULTS_VARIABLE results)
  file(GLOB folders RELATIVE "${cache}/cudax_sync" "${cache}/cudax_sync/*.*") # BMIs' folders have no dot
  if(NOT results STREQUAL "0;0" OR folders)
    message(FATAL_ERROR "consumer.command: two cudax++ at the same time ended with ${results} and left '${folders}'")
  endif()
  if(CUDA)
    # Kernels stay in the program if names are hidden. Nothing warns.
    run("${command}" -O2 -Werror --offload-arch=sm_90 -fvisibility=hidden -fvisibility-inlines-hidden "${WORK}/project/device.cu"
        -o "${WORK}/device")
    run_device("${WORK}/device")
    links_device_code("${command}" -O2 --offload-arch=sm_90)
    # Module units of the program, for two SMs: one by a command of its own, the others beside a source that imports them.
    set(flags -O2 -Wall -Wextra -Werror --offload-arch=sm_80,sm_90 "--bmi-folder=${WORK}/bmis")
    run("${command}" ${flags} -x cuda -c "${WORK}/project/scale_factor.cppm" -o "${WORK}/scale_factor.o")
    run("${command}" ${flags} "${WORK}/project/scale_user.cu" "${WORK}/project/scale_function.cu" "${WORK}/project/scale.cppm"
        "${WORK}/scale_factor.o" -o "${WORK}/scale")
    run_device("${WORK}/scale")
    # A plain C++ source imports a module whose object is CUDA, the only source of its command.
    run("${command}" -O2 "--bmi-folder=${WORK}/bmis" -c "${WORK}/own_user.cpp" -o "${WORK}/own_user.o")
    run("${command}" ${flags} -x cuda "${WORK}/own_twice.cppm" "${WORK}/own_user.o" -o "${WORK}/own_user")
    run("${WORK}/own_user")
    # The guide's module unit, by the command of its page.
    file(COPY "${SOURCE}/tests/guide/counting.cppm" DESTINATION "${WORK}")
    file(WRITE "${WORK}/main.cu" "/* Not one of the\nmodule units; it imports.\n*/\nimport counting;\n"
                                 "int main() { count_threads<<<1, 32>>>(nullptr); }\n")
    file(READ "${SOURCE}/tools/documentation/guide/building.md" page)
    if(NOT page MATCHES "\n    cudax[+][+] ([^\n]* counting.cppm [^\n]*)\n")
      message(FATAL_ERROR "consumer.command: guide/building.md holds no command for its module unit counting.cppm")
    endif()
    separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_1}")
    plant_headers("${WORK}")
    run("${CMAKE_COMMAND}" -E chdir "${WORK}" "${command}" --offload-arch=sm_90 ${arguments})
    # clang 22 ignores the size of a kernel's clusters without a warning.
    file(WRITE "${WORK}/clusters.cu" "__global__ void __cluster_dims__(2, 1, 1) kernel() {}\n")
    fails_with("clusters.cu:1:17: error: .*__cluster_dims__.* clang 22 ignores it.* cudax::launch_cluster\\(\\)"
      "${command}" -Werror -Wno-error=unknown-cuda-version --offload-arch=sm_90 -fsyntax-only "${WORK}/clusters.cu")
    # SMs for which clang does not compile, and one that is not in the archive.
    fails_with("no SM with an f; use sm_100"
      "${command}" --offload-arch=sm_100f -c "${WORK}/project/device.cu" -o "${WORK}/none.o")
    fails_with("does not compile for sm_110 .* use sm_100, whose PTX"
      "${command}" --offload-arch=sm_110 -c "${WORK}/project/device.cu" -o "${WORK}/none.o")
    fails_with("sm_60 is not in the archive, which holds .* build cudax.sync with it"
      "${command}" --offload-arch=sm_60 -c "${WORK}/project/device.cu" -o "${WORK}/none.o")
    foreach(names "110:choose 100, whose PTX" "103f:no SM with an f; choose 103" "60:supports only")
      string(REGEX MATCH "^([^:]*):(.*)$" names "${names}")
      set(sm "${CMAKE_MATCH_1}")
      fails_with("CUDAX_SYNC_SM names sm_${sm}.*${CMAKE_MATCH_2}" "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/sm_${sm}" -G Ninja
        "-DCMAKE_CXX_COMPILER=${COMPILER}" ${cuda_arguments} -DCUDAX_SYNC_SM=${sm})
    endforeach()
    # The preset of one toolkit, with another.
    fails_with("CUDAX_SYNC_CUDA_VERSION is 42.1, but the toolkit in .* Run tools/setup --cuda-version 42.1"
      "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/version" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" ${cuda_arguments}
      -DCUDAX_SYNC_CUDA_VERSION=42.1)
    run("${command}" -O2 --offload-arch=sm_90 -std=c++23 -ffast-math -DCUDAX_NO_AUTOMATIC_ATOMICS
        -c "${WORK}/project/device.cu" -o "${WORK}/device.o")
    run("${command}" -O2 "${WORK}/device.o" -o "${WORK}/device23")
    run_device("${WORK}/device23")
    run("${command}" -g --offload-arch=sm_90 -c "${WORK}/project/device.cu" -o "${WORK}/device.o")
    run("${command}" -g "${WORK}/device.o" -o "${WORK}/device_debug")
    run_device("${WORK}/device_debug")
    run("${command}" -O2 --offload-arch=sm_90 -DNAME=value -fPIC -shared "${WORK}/project/counter.cu" -o "${WORK}/libcounter.so")
    run("${command}" "${WORK}/project/counter_user.cpp" "${WORK}/libcounter.so" "-Wl,-rpath,${WORK}" -o "${WORK}/counter_user")
    run_device("${WORK}/counter_user")
    run("${command}" -O2 --offload-arch=sm_90 -fPIC -shared "${WORK}/project/counter.cu" -lcudax_sync_process -o "${WORK}/libcounter.so")
    run(grep -q "libcudax_sync_process[.]so[.]1" "${WORK}/libcounter.so")
    run_device("${WORK}/counter_user")
    # A static library with kernels, and programs without kernels.
    run("${command}" -O2 --offload-arch=sm_90 -c "${WORK}/project/counter.cu" -o "${WORK}/counter.o")
    run("${AR}" qc "${WORK}/libkernels.a" "${WORK}/counter.o")
    run("${command}" -O2 "${WORK}/project/counter_user.cpp" "${WORK}/libkernels.a" -o "${WORK}/static_user")
    run_device("${WORK}/static_user")
    run("${command}" -O2 -c "${WORK}/project/counter_user.cpp" -o "${WORK}/main.o")
    run("${command}" "${WORK}/main.o" "${WORK}/libkernels.a" -o "${WORK}/static_user")
    run_device("${WORK}/static_user")
    run("${command}" "${WORK}/main.o" "-L${WORK}" -l:libkernels.a -o "${WORK}/static_user")
    run_device("${WORK}/static_user")
    # An object file with kernels, with another name extension.
    file(COPY_FILE "${WORK}/counter.o" "${WORK}/counter.obj")
    run("${command}" "${WORK}/project/counter_user.cpp" "${WORK}/counter.obj" -o "${WORK}/static_user")
    run_device("${WORK}/static_user")
    # Objects of nvcc. With -rdc=true nvcc links their device code; it leaves no PTX, so the emulator cannot run their kernels.
    find_program(host_compiler g++)
    if(host_compiler AND EXISTS "${CUDA_ROOT}/bin/nvcc")
      set(nvcc "${CUDA_ROOT}/bin/nvcc" -ccbin "${host_compiler}")
      run(${nvcc} -arch=compute_90 -c "${WORK}/project/nvcc.cu" -o "${WORK}/nvcc.o")
      run("${command}" -O2 --offload-arch=sm_90 "${WORK}/project/nvcc_user.cu" "${WORK}/nvcc.o" -o "${WORK}/nvcc_user")
      run_device("${WORK}/nvcc_user")
      run(${nvcc} -arch=sm_90 -rdc=true -DOTHER_OBJECT -c "${WORK}/project/nvcc.cu" -o "${WORK}/nvcc_rdc.o")
      run(${nvcc} -arch=sm_90 -rdc=true -c "${WORK}/project/nvcc_other.cu" -o "${WORK}/nvcc_other.o")
      run(${nvcc} -arch=sm_90 -dlink "${WORK}/nvcc_rdc.o" "${WORK}/nvcc_other.o" -o "${WORK}/nvcc_link.o")
      run("${command}" -O2 --offload-arch=sm_90 "${WORK}/project/nvcc_user.cu" "${WORK}/nvcc_rdc.o" "${WORK}/nvcc_other.o"
          "${WORK}/nvcc_link.o" -lcudadevrt -o "${WORK}/nvcc_rdc_user")
      if(NOT EMULATE)
        run_device("${WORK}/nvcc_rdc_user")
      endif()
    endif()
    # A toolkit of another major version.
    file(MAKE_DIRECTORY "${WORK}/cuda-99.0/include")
    file(CREATE_LINK "${CUDA_ROOT}/bin" "${WORK}/cuda-99.0/bin" SYMBOLIC)
    file(WRITE "${WORK}/cuda-99.0/include/cuda_runtime_api.h" "#define CUDART_VERSION  99000\n")
    fails_with("cuda-99.0 is a CUDA 99 toolkit, but the library was built with CUDA [0-9]+; set CUDAX_CUDA"
      "${CMAKE_COMMAND}" -E env "CUDAX_CUDA=${WORK}/cuda-99.0" "${command}" -O2 "${WORK}/project/device.cu" -o "${WORK}/none")
  endif()
elseif(WAY STREQUAL "configuration_file")
  plant_headers("${WORK}")
  run("${CMAKE_COMMAND}" -E chdir "${WORK}" "${COMPILER}" "--config=${prefix}/lib/cudax_sync/cudax.cfg" --offload-arch=sm_90 -O2
      "${WORK}/project/device.cu" -o "${WORK}/device")
  run_device("${WORK}/device")
  file(WRITE "${WORK}/clusters.cu" "__global__ void __cluster_dims__(2, 1, 1) kernel() {}\n")
  fails_with("clusters.cu:1:17: error: .*__cluster_dims__.* clang 22 ignores it"
    "${COMPILER}" "--config=${prefix}/lib/cudax_sync/cudax.cfg" -Werror=deprecated-pragma --offload-arch=sm_90 -fsyntax-only "${WORK}/clusters.cu")
  links_device_code("${COMPILER}" "--config=${prefix}/lib/cudax_sync/cudax.cfg" --offload-arch=sm_90 -O2)
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
  configure(build "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXE_LINKER_FLAGS=-save-temps)
  run("${CMAKE_COMMAND}" --build "${WORK}/build")
  is_whole_program("${WORK}/build")
  file(SIZE "${WORK}/build/answer.fatbin" with_ptx)
  run("${CMAKE_COMMAND}" -DCUDAX_SYNC_EMBED_PTX=OFF "${WORK}/build")
  run("${CMAKE_COMMAND}" --build "${WORK}/build")
  is_whole_program("${WORK}/build")
  file(SIZE "${WORK}/build/answer.fatbin" without_ptx)
  if(NOT without_ptx LESS with_ptx)
    message(FATAL_ERROR "consumer.readme: ${without_ptx} bytes of device code without PTX, but ${with_ptx} with it")
  endif()
  run("${prefix}/bin/cudax++" -O2 "${WORK}/answer.cu" -o "${WORK}/answer")
  execute_process(COMMAND "${WORK}/answer" RESULT_VARIABLE result OUTPUT_VARIABLE output)
  message("${output}")
  # If the program cannot run, it reports what is missing.
  if(NOT (result EQUAL 0 AND output STREQUAL "the GPU says 42\n") AND
     NOT (result EQUAL 1 AND output MATCHES "^cudax.sync: make_mapped: .*driver"))
    message(FATAL_ERROR "consumer.readme: the program in README.md ended with ${result}")
  endif()
elseif(WAY STREQUAL "package")
  # The same packages with another umask, at another time, in another file system where there is one.
  set(ENV{SOURCE_DATE_EPOCH} 1735689600)
  cmake_path(REPLACE_FILENAME CMAKE_COMMAND cpack OUTPUT_VARIABLE cpack)
  set(other "${WORK}/other")
  if(IS_DIRECTORY /dev/shm)
    execute_process(COMMAND mktemp -d /dev/shm/cudax_sync.XXXXXX OUTPUT_VARIABLE other OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  run("${cpack}" --config "${BUILD}/CPackConfig.cmake" -B "${WORK}/packages")
  run(bash -c "sleep 1 && umask 077 && exec \"$@\"" umask "${cpack}" --config "${BUILD}/CPackConfig.cmake" -B "${other}")
  file(GLOB packages RELATIVE "${WORK}/packages" "${WORK}/packages/*.deb" "${WORK}/packages/*.tar.gz")
  foreach(file IN LISTS packages)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${WORK}/packages/${file}" "${other}/${file}"
                    RESULT_VARIABLE differs)
    if(differs)
      message(FATAL_ERROR "consumer.package: two packages of the same build differ: ${WORK}/packages/${file}, ${other}/${file}")
    endif()
  endforeach()
  file(REMOVE_RECURSE "${other}")
  if(NOT packages MATCHES "libcudax-sync-dev_[^;]*_[a-z0-9]+\\.deb" OR NOT packages MATCHES "cudax_sync-[^;]*\\.tar\\.gz" OR
     NOT packages MATCHES "libcudax-sync-process1_[^;]*_[a-z0-9]+\\.deb")
    message(FATAL_ERROR "consumer.package: CPack made '${packages}', and not two .deb and a .tar.gz")
  endif()

  # The .tar.gz is one folder.
  file(GLOB archive "${WORK}/packages/*.tar.gz")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar tzf "${archive}" OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
  cmake_path(GET archive FILENAME folder)
  string(REGEX REPLACE "\\.tar\\.gz$" "" folder "${folder}")
  string(REPLACE "\n" ";" names "${names}")
  list(FILTER names EXCLUDE REGEX "^(${folder}/.*)?$")
  if(names)
    message(FATAL_ERROR "consumer.package: the .tar.gz is not the one folder ${folder}; it also has: ${names}")
  endif()

  # The .deb packages if this system has dpkg. Nothing in it names the machine that built it.
  set(prefix "${WORK}/root/usr")
  find_program(dpkg dpkg-deb)
  if(dpkg)
    list(FILTER packages INCLUDE REGEX "deb$")
    foreach(file IN LISTS packages)
      run("${dpkg}" -x "${WORK}/packages/${file}" "${WORK}/root")
    endforeach()
    file(GLOB process "${WORK}/packages/libcudax-sync-process*.deb")
    execute_process(COMMAND "${dpkg}" --info "${process}" shlibs triggers OUTPUT_VARIABLE control COMMAND_ERROR_IS_FATAL ANY)
    if(NOT control MATCHES "^libcudax_sync_process 1 libcudax-sync-process1 \\(>= [0-9.]+\\)\nactivate-noawait ldconfig\n$")
      message(FATAL_ERROR "consumer.package: shlibs and triggers of ${process} are '${control}'")
    endif()
    file(GLOB names RELATIVE "${WORK}/root" "${WORK}/root/*")
    if(NOT names STREQUAL "usr")
      message(FATAL_ERROR "consumer.package: the .deb packages install into '${names}', and not into usr")
    endif()
  else()
    list(FILTER packages INCLUDE REGEX "gz$")
    file(ARCHIVE_EXTRACT INPUT "${WORK}/packages/${packages}" DESTINATION "${WORK}/unpacked")
    file(GLOB unpacked "${WORK}/unpacked/*")
    file(MAKE_DIRECTORY "${WORK}/root")
    file(RENAME "${unpacked}" "${prefix}")
  endif()
  string(FIND "${CUDA_ROOT}/" "${SOURCE}/" below) # a toolkit of tools/setup lies in the checkout
  if(BUILD_TYPE STREQUAL "Release" AND NOT below EQUAL 0)
    execute_process(COMMAND grep -rlaF -e "${SOURCE}" -e "${BUILD}" "${WORK}/root" OUTPUT_VARIABLE named)
    if(named)
      message(FATAL_ERROR "consumer.package: these files hold a path of the checkout: ${named}")
    endif()
  endif()

  # Plain C++ without a toolkit: CMake, cudax++, pkg-config. The commands search for a toolkit where there is none.
  file(GLOB commands "${prefix}/bin/*" "${prefix}/lib/cudax_sync/bin/*")
  foreach(file IN LISTS commands)
    if(NOT IS_SYMLINK "${file}")
      configure_file("${file}" "${WORK}/as_installed/" COPYONLY)
      file(READ "${file}" text)
      if(CUDA)
        string(REPLACE "${CUDA_ROOT}" "${WORK}/none" text "${text}")
      endif()
      string(REPLACE "/usr/local/cuda" "${WORK}/none" text "${text}")
      file(WRITE "${file}" "${text}")
    endif()
  endforeach()
  set(ENV{XDG_CACHE_HOME} "${WORK}/cache")
  set(command "${prefix}/bin/cudax++")
  set(environment "${CMAKE_COMMAND}" -E env --unset=CUDAToolkit_ROOT --unset=CUDA_PATH)
  run(${environment} "${command}" -O2 "${WORK}/project/plain.cpp" -o "${WORK}/plain")
  run("${WORK}/plain")
  run(${environment} "${command}" -O2 -c "${WORK}/project/plain.cpp" -o "${WORK}/plain.o")
  run(${environment} "${command}" "${WORK}/plain.o" -o "${WORK}/plain")
  run("${WORK}/plain")
  configure(build "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
  run("${CMAKE_COMMAND}" --build "${WORK}/build" --target plain waits)
  run("${WORK}/build/plain")
  uses_shared_library("${WORK}/build/waits")
  run(${environment} "${command}" -O2 "${WORK}/project/waits.cpp" -lcudax_sync_process -o "${WORK}/waits")
  uses_shared_library("${WORK}/waits")
  run(${environment} "${command}" -O2 -c "${WORK}/project/waits.cpp" -o "${WORK}/waits.o")
  fails_with("-static: a static program cannot load libcudax_sync_process.so; leave out one of"
    ${environment} "${command}" -static "${WORK}/waits.o" -lcudax_sync_process -o "${WORK}/none")
  find_program(pkg_config NAMES pkg-config pkgconf)
  if(pkg_config)
    set(ENV{PKG_CONFIG_PATH} "${prefix}/lib/pkgconfig")
    set(module cudax_sync)
    if(CUDA)
      set(module cudax_sync_host)
    endif()
    foreach(names plain:${module} waits:${module}_shared)
      string(REGEX MATCH "^(.*):(.*)$" names "${names}")
      set(program "${CMAKE_MATCH_1}")
      execute_process(COMMAND "${pkg_config}" --libs "${CMAKE_MATCH_2}" OUTPUT_VARIABLE libraries
                      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
      separate_arguments(libraries NATIVE_COMMAND "${libraries}")
      run("${COMPILER}" "${WORK}/${program}.o" ${libraries} -o "${WORK}/${program}_of_pkg_config")
      # cudax++ adds the same options once more.
      run(${environment} "${command}" "${WORK}/${program}.o" ${libraries} -o "${WORK}/${program}_of_both")
    endforeach()
    run("${WORK}/plain_of_pkg_config")
    uses_shared_library("${WORK}/waits_of_pkg_config")
    uses_shared_library("${WORK}/waits_of_both")
  endif()
  if(CUDA)
    fails_with("there is no CUDA [0-9]+ toolkit in .*cudax-toolkit.* set CUDAX_CUDA"
      ${environment} "${command}" -O2 "${WORK}/project/device.cu" -o "${WORK}/none")
    file(COPY "${WORK}/as_installed/" DESTINATION "${prefix}/bin" FILES_MATCHING PATTERN "cudax*")
    # With a toolkit: the program and the emulator, both as installed. clang's own command, with a configuration file for other
    # flags, has nothing else to warn of.
    set(ENV{CUDAX_CUDA} "${CUDA_ROOT}")
    run("${command}" -O2 -std=c++23 --offload-arch=sm_90 "${WORK}/project/device.cu" -o "${WORK}/device")
    set(emulate "")
    if(EMULATE)
      set(emulate "${prefix}/bin/cudax-emulate" --check)
    endif()
    execute_process(COMMAND ${emulate} "${WORK}/device" RESULT_VARIABLE result)
    if(NOT result MATCHES "^(0|77)$")
      message(FATAL_ERROR "consumer.package: the program on the installed emulator ended with ${result}")
    endif()
    execute_process(COMMAND "${command}" --config-file -std=c++23 OUTPUT_VARIABLE config OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    run("${COMPILER}" "--config=${config}" -Wno-unknown-cuda-version -Werror -Wall -Wextra --offload-arch=sm_90 -O2 "${WORK}/project/device.cu"
        -o "${WORK}/device")
    run_device("${WORK}/device")
    fails_with("exists; remove it" "${prefix}/bin/cudax-toolkit" "${WORK}")
  endif()
  if(EXISTS "${prefix}/bin/cudax-info")
    run("${prefix}/bin/cudax-info" --json)
  endif()

  # The target `uninstall` removes what `install` wrote, and nothing else.
  file(WRITE "${WORK}/installed/share/own" "")
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed")
  run("${CMAKE_COMMAND}" -P "${BUILD}/install/uninstall.cmake")
  file(GLOB_RECURSE left RELATIVE "${WORK}/installed" "${WORK}/installed/*")
  if(NOT left STREQUAL "share/own" OR EXISTS "${WORK}/installed/share/cudax_sync")
    message(FATAL_ERROR "consumer.package: after the uninstallation there are: ${left}")
  endif()
  fails_with("nothing was installed from this build folder" "${CMAKE_COMMAND}" -P "${BUILD}/install/uninstall.cmake")
else()
  message(FATAL_ERROR
    "build_project.cmake: WAY is '${WAY}'; use source, install, checkout, command, configuration_file, readme or package")
endif()
