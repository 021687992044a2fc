# SPDX-License-Identifier: Apache-2.0
#
# cudax_sync_cuda_sources(<target> <source>... [SM <sm>...])
#
# Adds CUDA sources that `import cudax.sync;` to <target>: compiles them with clang in CUDA mode for each SM (90, 100a,
# ...; default: one of each major generation that the archive contains), and links cudax::sync and the CUDA runtime with
# device LTO, so that calls of the library fold to their instructions.
#
# CMake itself builds the plain C++ flavour of the modules (FILE_SET CXX_MODULES) but has no support for -x cuda. So the
# CUDA flavour is built here, once per target, by one command per interface unit and side (host, device), with the
# options of the target: a BMI and its importer must agree on the standard, on exceptions and so on. The options of
# <target> may be set before or after the call, and may depend on the configuration and on the language (CXX).
#
# The BMIs of one target take about 8 seconds of one processor. A target uses those of another target, to which CUDA sources
# were added before, if its property CUDAX_SYNC_BMIS_OF names that target; the variable CUDAX_SYNC_BMIS_OF initialises the
# property. clang reports an error where the two disagree on the standard, exceptions and the like. It does not compare
# definitions: the targets must agree on CUDAX_CHECKED.
#
# Device code is linked when a program or a shared library is linked. So a static library passes the link options to its
# consumers, which may be plain C++. clang extracts the device code of an archive member only for SMs that it finds in
# an object, and a plain C++ program has none: --should-extract names the SMs of the static library.
#
# All device code of a program becomes one image for each SM, and a GPU loads the best one for it. Kernels that were not
# compiled for the SM of that image are missing there, and their launches fail. So every source must be compiled for
# every SM for which another source is compiled, from its own lowest SM upwards.
#
# The linked program contains, for each SM, a cubin and the PTX from which it was made, for newer GPUs and the emulator
# (cuda_tool.in). To leave out the PTX, set CUDAX_SYNC_EMBED_PTX to OFF before the call. To leave out the cubins of some
# SMs, whose PTX is enough for the emulator, set CUDAX_SYNC_WITHOUT_CUBIN to these SMs: ptxas takes most of the time of a
# device link. It has no effect without the PTX.

define_property(TARGET PROPERTY CUDAX_SYNC_BMIS_OF INITIALIZE_FROM_VARIABLE CUDAX_SYNC_BMIS_OF
  BRIEF_DOCS "The target whose BMIs the CUDA sources of this target use")

if(CUDAToolkit_BIN_DIR)
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH CUDAX_SYNC_CUDA_PATH)
endif()

option(CUDAX_SYNC_EMBED_PTX "Put PTX beside the cubins of programs, for newer GPUs and the emulator" ON)

# The flags of every CUDA compilation. clang 22 warns that CUDA 13 is newer than it knows, but works with it.
set(CUDAX_SYNC_CUDA_FLAGS -fgpu-rdc -foffload-lto "--cuda-path=${CUDAX_SYNC_CUDA_PATH}" -Wno-unknown-cuda-version)

# The passes of the device link: LLVM's own, then those that tell the state space of each pointer and fold the library's
# question for it (arch/README.md, "The state space of all else"). nvptx-lower-args must not be one of them, although it
# would tell more: LLVM runs it again afterwards, and a second run makes wrong code of structures passed by value to
# kernels (the test ptx.parameters).
set(CUDAX_SYNC_DEVICE_PASSES
    "lto<O3>,function(infer-address-spaces,lower-constant-intrinsics,simplifycfg)")

# Sets `result` to the -std flag of `target`, a generator expression. The first of: a -std option of the target;
# CXX_STANDARD; a -std flag in CMAKE_CXX_FLAGS (the arguments after `target`); the target's compile features.
function(_cudax_sync_standard result target)
  set(std 20)
  foreach(version 23 26)
    set(std "$<IF:$<IN_LIST:cxx_std_${version},$<TARGET_PROPERTY:${target},COMPILE_FEATURES>>,${version},${std}>")
  endforeach()
  set(chosen "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
  set(std "$<IF:$<AND:$<VERSION_GREATER:${chosen},20>,$<VERSION_LESS:${chosen},98>>,${chosen},${std}>")
  # An unset CXX_EXTENSIONS means ON, as in CMake.
  set(extensions "$<TARGET_PROPERTY:${target},CXX_EXTENSIONS>")
  set(dialect "$<IF:$<OR:$<STREQUAL:${extensions},>,$<BOOL:${extensions}>>,gnu++,c++>")
  set(std "-std=${dialect}${std}")
  set(flags ${ARGN})
  list(FILTER flags INCLUDE REGEX "^-std=")
  if(flags)
    list(POP_BACK flags flag)
    set(std "$<IF:$<BOOL:${chosen}>,${std},${flag}>")
  endif()
  set(options "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,INCLUDE,^-std=>")
  set(${result} "$<IF:$<BOOL:${options}>,$<JOIN:${options}, >,${std}>" PARENT_SCOPE)
endfunction()

# Sets `result` to the device options that `target` needs with -g, a generator expression. Device LTO optimises, and
# ptxas does not optimise code with more debug information than line numbers.
function(_cudax_sync_device_debug result target)
  set(flags ${ARGN})
  list(FILTER flags INCLUDE REGEX "^-g")
  set(options "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,INCLUDE,^-g>")
  set(${result} "$<$<BOOL:${flags}${options}>:-Xarch_device -gline-directives-only>" PARENT_SCOPE)
endfunction()

# Sets `result` to the lines of a response file, a generator expression: the compile options (with SHELL: as in CMake)
# and the definitions of `target`, each in quotes.
function(_cudax_sync_response result target)
  set(plain "^([^S]|S[^H]|SH[^E])") # without SHELL:
  set(escape "REPLACE,([\\\"]),\\\\\\1")
  set(options "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
  set(options "$<LIST:TRANSFORM,${options},${escape},REGEX,${plain}>")
  set(options "$<LIST:TRANSFORM,${options},REPLACE,${plain}(.*)$,\"\\1\\2\">")
  set(options "$<LIST:TRANSFORM,${options},REPLACE,^SHELL:(.*)$,\\1>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(definitions "$<LIST:TRANSFORM,${definitions},${escape}>")
  set(definitions "$<LIST:TRANSFORM,${definitions},REPLACE,^(.+)$,\"-D\\1\">")
  set(${result} "$<JOIN:${options},\n>\n$<JOIN:${definitions},\n>\n" PARENT_SCOPE)
endfunction()

# Adds one command per unit and side, which writes the BMIs to directory/host and directory/device, compiled with the
# options after `directory`. `name` appears in the progress message. Sets `result` to the BMIs.
function(_cudax_sync_build_bmis result name directory)
  set(option_files ${ARGN})
  list(FILTER option_files INCLUDE REGEX "^@")
  list(TRANSFORM option_files REPLACE "^@" "")
  list(TRANSFORM CUDAX_SYNC_UNIT_HEADERS PREPEND "${CUDAX_SYNC_ROOT}/" OUTPUT_VARIABLE headers)
  set(bmis "")
  foreach(side host device)
    set(out "${directory}/${side}")
    foreach(unit IN LISTS CUDAX_SYNC_UNITS)
      set(source "${CUDAX_SYNC_ROOT}/modules/${unit}.cppm")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
      # The file names that clang expects: MODULE.pcm, and MODULE-PART.pcm for the partition :PART.
      file(STRINGS "${source}" bmi REGEX "^export module ")
      string(REGEX MATCH "(cudax[a-z_.]*)(:[a-z_]+)?" module "${bmi}")
      set(primary "${CMAKE_MATCH_1}")
      string(REPLACE ":" "-" bmi "${module}")
      set(bmi "${out}/${bmi}.pcm")
      file(STRINGS "${source}" imports REGEX "^(export )?import ")
      list(TRANSFORM imports REPLACE ";.*$" "")
      list(TRANSFORM imports REPLACE "^.*import :([a-z_]+)$" "${out}/${primary}-\\1.pcm")
      list(TRANSFORM imports REPLACE "^import ([a-z_.]+)$" "${out}/\\1.pcm") # another module
      # -S keeps the driver from running ptxas. Any SM will do: the interface does not test it. -w: the importer should
      # not see the units' warnings. Reduced: without what importers cannot use; CMake's own BMIs are reduced, too.
      add_custom_command(OUTPUT "${bmi}"
        COMMAND "${CMAKE_CXX_COMPILER}" -x cuda ${CUDAX_SYNC_CUDA_FLAGS} ${ARGN} -w -nocudainc
                --cuda-${side}-only --cuda-gpu-arch=sm_90 "-fprebuilt-module-path=${out}"
                -S -Xclang -emit-reduced-module-interface "${source}" -o "${bmi}"
        DEPENDS "${source}" ${headers} ${imports} ${option_files}
        COMMENT "cudax.sync: ${side} BMI of ${module} for ${name}"
        COMMAND_EXPAND_LISTS VERBATIM)
      list(APPEND bmis "${bmi}")
    endforeach()
  endforeach()
  set(${result} "${bmis}" PARENT_SCOPE)
endfunction()

# Sets `result` to the text for double quotes in a shell script, where the shell would interpret some characters.
function(_cudax_sync_in_quotes result text)
  string(REGEX REPLACE "([\\\"$`])" "\\\\\\1" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Creates directory/bin with the tools of cuda_tool.in for the device link. `embed_ptx` is true or false. The SMs in ARGN
# get no cubin.
function(_cudax_sync_cuda_tools directory embed_ptx)
  list(JOIN ARGN " " without_cubin)
  _cudax_sync_in_quotes(cuda "${CUDAX_SYNC_CUDA_PATH}")
  foreach(tool ptxas nvlink fatbinary)
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cuda_tool.in" "${directory}/bin/${tool}" @ONLY FILE_PERMISSIONS
      OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
endfunction()

# Sets `result` to a sentence that says what to do instead of compiling for an SM for which clang 22 does not compile, or to
# nothing for another SM. The command cudax++ says the same (check_architectures).
function(_cudax_sync_not_compiled result sm)
  set(text "")
  if(sm MATCHES "^110")
    string(CONCAT text "clang 22 does not compile for it without options that all SMs of a program would get (PTX 9.0); choose "
                       "100, whose PTX the driver of this GPU compiles")
  elseif(sm MATCHES "^([0-9]+)f$")
    set(text "clang 22 compiles for no SM with an f; choose ${CMAKE_MATCH_1}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Warns if sources of `target` are compiled for SMs (the arguments after `target`) that those of an earlier call lack,
# or the other way round, although they could run there: code for 90 runs on 100, code for 90a on no other SM.
function(_cudax_sync_compare_sm target)
  list(JOIN ARGN "," new)
  get_target_property(sets ${target} CUDAX_SYNC_SM_SETS)
  if(NOT sets)
    set(sets "")
  endif()
  list(APPEND sets "${new}")
  set_target_properties(${target} PROPERTIES CUDAX_SYNC_SM_SETS "${sets}")
  string(REPLACE "," ";" all "${sets}")
  list(REMOVE_DUPLICATES all)
  foreach(set IN LISTS sets)
    string(REPLACE "," ";" set "${set}")
    foreach(sm IN LISTS all)
      foreach(lower IN LISTS set)
        set(two "${lower}" "${sm}")
        list(SORT two COMPARE NATURAL)
        list(GET two 0 first)
        if(NOT sm IN_LIST set AND lower MATCHES "^[0-9]+$" AND first STREQUAL lower)
          message(WARNING "cudax_sync_cuda_sources: sources of '${target}' are compiled for SM ${set}, others also for SM ${sm}. A "
                          "GPU that loads the image for SM ${sm} finds no kernels of the former there, and their launches fail "
                          "with error 98; compile them for SM ${sm}, too.")
          return()
        endif()
      endforeach()
    endforeach()
  endforeach()
endfunction()

function(cudax_sync_cuda_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" SM)
  set(sources ${arg_UNPARSED_ARGUMENTS})
  if(NOT TARGET ${target})
    message(FATAL_ERROR "cudax_sync_cuda_sources: '${target}' is not a target; call add_executable or add_library first.")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "cudax_sync_cuda_sources: '${target}' is of type ${type}, which is not compiled; name an executable, or "
                        "a library of another type.")
  endif()
  if(NOT sources)
    message(FATAL_ERROR "cudax_sync_cuda_sources: no source for '${target}'; name the CUDA sources after the target.")
  endif()
  if(NOT CUDAX_SYNC_CUDA_FOUND)
    message(FATAL_ERROR "cudax_sync_cuda_sources: '${target}' cannot have CUDA sources: no CUDA toolkit was found here, or "
                        "cudax.sync was built without one. Install a CUDA toolkit 12.8 or later, set CUDAToolkit_ROOT to its "
                        "folder, and configure again.")
  endif()
  if(NOT arg_SM)
    set(arg_SM ${CUDAX_SYNC_DEFAULT_SM})
  endif()
  foreach(sm IN LISTS arg_SM)
    if(NOT sm IN_LIST CUDAX_SYNC_ARCHIVE_SM)
      _cudax_sync_not_compiled(reason ${sm})
      if(reason)
        message(FATAL_ERROR "cudax_sync_cuda_sources: SM ${sm} for '${target}': ${reason}.")
      endif()
      message(FATAL_ERROR "cudax_sync_cuda_sources: SM ${sm} for '${target}' is not in the archive, which holds "
                          "${CUDAX_SYNC_ARCHIVE_SM}; choose one of these, or build cudax.sync with it (CUDAX_SYNC_SM).")
    endif()
  endforeach()

  _cudax_sync_compare_sm(${target} ${arg_SM})

  get_target_property(owner ${target} CUDAX_SYNC_BMIS_OF)
  if(NOT owner)
    set(owner ${target})
  endif()
  if(NOT owner STREQUAL target AND NOT TARGET ${owner}.cudax_sync_bmis)
    message(FATAL_ERROR "cudax_sync_cuda_sources: CUDAX_SYNC_BMIS_OF of '${target}' is '${owner}', which has no BMIs; name a "
                        "target to which CUDA sources were added before.")
  endif()

  # The target's folder, not the caller's: later calls, from other directories, use the BMIs of the first one.
  get_target_property(directory ${target} BINARY_DIR)
  string(APPEND directory "/${target}.cudax_sync")
  get_property(several_configs GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configs)
    set(configs ${CMAKE_CONFIGURATION_TYPES})
    set(below "/$<CONFIG>")
  else()
    set(configs "${CMAKE_BUILD_TYPE}")
    set(below "")
  endif()
  set(here "${directory}${below}")
  get_target_property(owner_directory ${owner} BINARY_DIR)
  set(bmi_directory "${owner_directory}/${owner}.cudax_sync${below}")
  get_target_property(inputs ${target} CUDAX_SYNC_BMI_INPUTS)
  if(NOT inputs)
    # The options of the target go into two files: CMake rejects COMPILE_OPTIONS that refer to themselves, and a custom
    # command has no language. `options` is for sources and BMIs; `bmi_options` is what CMake itself passes to the
    # sources.
    set(inputs "")
    set(options "")
    set(bmi_options "")
    if(configs STREQUAL "")
      set(configs None)
    endif()
    foreach(config IN LISTS configs)
      string(TOUPPER "${config}" upper)
      set(text "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${upper}}")
      separate_arguments(flags NATIVE_COMMAND "${text}")
      _cudax_sync_standard(standard ${target} ${flags})
      _cudax_sync_device_debug(device_debug ${target} ${flags})
      if(several_configs)
        string(REPLACE ">" "$<ANGLE-R>" text "${text}")
        string(APPEND options "$<$<CONFIG:${config}>:${standard} ${device_debug}>")
        string(APPEND bmi_options "$<$<CONFIG:${config}>:${text}>")
        list(APPEND inputs "${directory}/${config}/options")
      else()
        set(options "${standard} ${device_debug}")
        set(bmi_options "${text}")
        list(APPEND inputs "${directory}/options")
      endif()
    endforeach()
    # The condition is needed because options may depend on the language: without it the files would be evaluated once
    # for each language of the project.
    file(GENERATE OUTPUT "${here}/options" CONTENT "${options}\n" CONDITION "$<COMPILE_LANGUAGE:CXX>" TARGET ${target})
    if(owner STREQUAL target)
      _cudax_sync_response(response ${target})
      file(GENERATE OUTPUT "${here}/bmi_options" CONTENT "${bmi_options}\n${response}" CONDITION "$<COMPILE_LANGUAGE:CXX>"
           TARGET ${target})
      _cudax_sync_build_bmis(bmis ${target} "${here}" "@${here}/bmi_options" "@${here}/options")
      add_custom_target(${target}.cudax_sync_bmis DEPENDS ${bmis})
    else()
      get_target_property(owner_inputs ${owner} CUDAX_SYNC_BMI_INPUTS)
      list(APPEND inputs ${owner_inputs})
    endif()
    # The sources depend on the BMIs, and are compiled again if an input of the BMIs has changed. OBJECT_DEPENDS takes
    # no generator expression, so it cannot name the BMIs of one configuration.
    add_dependencies(${target} ${owner}.cudax_sync_bmis)
    foreach(file IN LISTS CUDAX_SYNC_UNITS)
      list(APPEND inputs "${CUDAX_SYNC_ROOT}/modules/${file}.cppm")
    endforeach()
    foreach(file IN LISTS CUDAX_SYNC_UNIT_HEADERS)
      list(APPEND inputs "${CUDAX_SYNC_ROOT}/${file}")
    endforeach()
    list(REMOVE_DUPLICATES inputs)
    set_target_properties(${target} PROPERTIES CUDAX_SYNC_BMI_INPUTS "${inputs}")
  endif()

  list(TRANSFORM arg_SM PREPEND --cuda-gpu-arch=sm_ OUTPUT_VARIABLE architectures)
  # The device link drops hidden kernels, and every launch of one fails (clang 22.1). Kernels are hidden by an
  # attribute, as in CUB and Thrust, and by CXX_VISIBILITY_PRESET and VISIBILITY_INLINES_HIDDEN, whose options precede
  # these.
  target_sources(${target} PRIVATE ${sources})
  string(CONCAT options "-x;cuda;${CUDAX_SYNC_CUDA_FLAGS};${architectures};-isystem;${CUDAX_SYNC_CUDA_PATH}/include/cccl;"
    "-Xarch_device;-D__visibility__(which)=;-Xarch_device;-fvisibility=default;-Xarch_device;-fno-visibility-inlines-hidden;"
    "-Xarch_host;-fprebuilt-module-path=${bmi_directory}/host;-Xarch_device;-fprebuilt-module-path=${bmi_directory}/device;"
    "@${here}/options")
  # A source has one set of options in a directory, but it may belong to several targets: its options are those that the
  # target names for it. Options that the project gave to the source stay after these.
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    string(SHA1 key "${path}")
    set_target_properties(${target} PROPERTIES CUDAX_SYNC_OPTIONS_${key} "${options}")
    set(own "$<GENEX_EVAL:$<TARGET_PROPERTY:CUDAX_SYNC_OPTIONS_${key}>>")
    get_source_file_property(theirs "${source}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    if(NOT theirs)
      set(theirs "")
    endif()
    list(REMOVE_ITEM theirs "${own}")
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${own};${theirs}")
  endforeach()
  set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES
    LANGUAGE CXX
    CXX_SCAN_FOR_MODULES OFF
    SKIP_PRECOMPILE_HEADERS ON # CMake builds one for plain C++ only
    SKIP_UNITY_BUILD_INCLUSION ON) # one that is compiled as plain C++
  get_target_property(target_directory ${target} SOURCE_DIR)
  set_property(SOURCE ${sources} DIRECTORY "${target_directory}" APPEND PROPERTY OBJECT_DEPENDS "${inputs}")
  target_link_libraries(${target} PRIVATE cudax::sync CUDA::cudart)
  # The device link starts another clang, which does not inherit --cuda-path (clang 22.1).
  set(scope PRIVATE)
  set(link_depends LINK_DEPENDS)
  if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY") # linked by their consumers
    set(scope INTERFACE)
    set(link_depends INTERFACE_LINK_DEPENDS)
    list(TRANSFORM arg_SM PREPEND LINKER:--should-extract=sm_ OUTPUT_VARIABLE extracted)
    target_link_options(${target} INTERFACE ${extracted})
  endif()
  target_link_options(${target} ${scope} --offload-link -foffload-lto "--cuda-path=${CUDAX_SYNC_CUDA_PATH}"
    "SHELL:-Xoffload-linker --lto-newpm-passes=${CUDAX_SYNC_DEVICE_PASSES}"
    "LINKER:--device-compiler=nvptx64-nvidia-cuda=--cuda-path=${CUDAX_SYNC_CUDA_PATH}")
  set(tools "${CMAKE_BINARY_DIR}/cudax_sync_tools")
  if(NOT CUDAX_SYNC_EMBED_PTX)
    string(APPEND tools "_without_ptx")
    _cudax_sync_cuda_tools("${tools}" false)
  else()
    if(CUDAX_SYNC_WITHOUT_CUBIN)
      list(JOIN CUDAX_SYNC_WITHOUT_CUBIN "_" sms)
      string(APPEND tools "_without_${sms}")
    endif()
    _cudax_sync_cuda_tools("${tools}" true ${CUDAX_SYNC_WITHOUT_CUBIN})
  endif()
  set_property(TARGET ${target} APPEND PROPERTY ${link_depends} "${tools}/bin/fatbinary")
  target_link_options(${target} ${scope} "LINKER:--cuda-path=${tools}"
    "LINKER:--device-linker=nvptx64-nvidia-cuda=--cuda-path=${tools}")
endfunction()
