# sinter_add_library(<target> <file> [<file> ...]
#     [NAME n] [NAMESPACE ns] [STATIC|SHARED|OBJECT] [DEVICE CUDA|CPU|AUTO] [NVTX]
#     [ARCHITECTURES 80-real 90a-real] [FLAGS --no-fma ...] [PLAN file]
#     [WEIGHTS EMBED|FILE|CALLER] [WEIGHTS_FROM bytes] [WEIGHTS_OF file.safetensors ...] [LICENSE expression]
#     [MAX_LAUNCHES n] [MAX_BYTES n] [REQUIRE_FUSED value ...]
#     [EMIT_DIR dir] [HEADER var] [SOURCES var] [EXPLAIN var] [WEIGHTS_FILE var])
#
# The library <target>, <ns>::<target> too (ns: <target>), of a model's HLO text or Grain file. Its headers are <n/n.h>
# and <n/n.hpp> (n: <target>). It is a target like any other, an object a kernel: flags, toolchain, sanitizers, unity
# builds, interprocedural optimisation and install() of the project hold for it. DEVICE AUTO, the default, is CUDA where
# the project has enabled that language. Several files, or several --entry or --dims among FLAGS, are programs of one
# library, which share weights and device memory. NVTX: profilers show runs and their steps. ARCHITECTURES are those of
# CMAKE_CUDA_ARCHITECTURES, if not given. LICENSE is that of the sources, which their first lines state.
#
# The build runs Sinter where the file, an option or Sinter changed; of what is emitted only files that differ are
# written, so that only their objects are built again. With EMIT_DIR sources are committed there instead: configuring
# writes them where there are none, `<target>_emit` writes them again, and the test `<target>_fresh` fails where they are
# not what the file gives.
#
# sinter_add_test(<target> [ENTRY e] INPUTS in.safetensors EXPECT out.safetensors [RTOL r] [ATOL a]
#     [WEIGHTS w.safetensors])
#
# The test `<target>_values`: runs the library as it is built, and compares. ENTRY is which program of several; then the
# test is `<target>_<entry>_values`. INPUTS are the text's, "0", "1", ...: all, or those that are not in WEIGHTS_OF. Its
# weights are those in it, or of WEIGHTS: by default the file that Sinter writes beside the sources; of WEIGHTS CALLER,
# that of WEIGHTS_OF.
#
# sinter_add_sbom(<target> <file>)
#
# The build writes the bill of materials of the library's sources, SPDX 2.3 in JSON: see SinterSbom.cmake.
include_guard()
set_property(GLOBAL PROPERTY SINTER_SBOM_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/SinterSbom.cmake")

# What the emitted folder's manifest lists.
function(_sinter_emitted_files dir out)
  file(READ "${dir}/manifest.json" manifest)
  string(JSON count LENGTH "${manifest}" files)
  math(EXPR last "${count} - 1")
  set(paths "")
  foreach(i RANGE ${last})
    string(JSON path MEMBER "${manifest}" files ${i})
    list(APPEND paths "${dir}/${path}")
  endforeach()
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# The programs that a folder joins; none, if it is that of one.
function(_sinter_programs dir paths out)
  set(programs "")
  foreach(path IN LISTS paths)
    file(RELATIVE_PATH path "${dir}" "${path}")
    if(path MATCHES "^([^/]+)/manifest\\.json$")
      list(APPEND programs ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${out} "${programs}" PARENT_SCOPE)
endfunction()

function(sinter_add_library target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STATIC;SHARED;OBJECT;NVTX"
    "NAME;NAMESPACE;DEVICE;PLAN;WEIGHTS;WEIGHTS_FROM;LICENSE;MAX_LAUNCHES;MAX_BYTES;EMIT_DIR;HEADER;SOURCES;EXPLAIN;WEIGHTS_FILE"
    "ARCHITECTURES;FLAGS;REQUIRE_FUSED;WEIGHTS_OF")
  set(files "")
  set(unknown ${arg_KEYWORDS_MISSING_VALUES})
  set(given "${file}" ${arg_UNPARSED_ARGUMENTS})
  foreach(path IN LISTS given)
    get_filename_component(absolute "${path}" ABSOLUTE)
    if(NOT path STREQUAL file AND NOT EXISTS "${absolute}")
      list(APPEND unknown "${path}")
    endif()
    list(APPEND files "${absolute}")
  endforeach()
  if(unknown)
    message(FATAL_ERROR "sinter_add_library(${target}): not understood: ${unknown}")
  endif()
  set(name ${target})
  if(arg_NAME)
    set(name ${arg_NAME})
  endif()
  string(TOUPPER ${name} NAME)

  set(type STATIC)
  foreach(candidate IN ITEMS SHARED OBJECT)
    if(arg_${candidate})
      set(type ${candidate})
    endif()
  endforeach()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT arg_DEVICE OR arg_DEVICE STREQUAL "AUTO")
    set(arg_DEVICE CPU)
    if("CUDA" IN_LIST languages)
      set(arg_DEVICE CUDA)
    endif()
  elseif(NOT arg_DEVICE MATCHES "^(CPU|CUDA)$")
    message(FATAL_ERROR "sinter_add_library(${target}): DEVICE is CUDA, CPU or AUTO, not ${arg_DEVICE}")
  endif()

  # --- the command ---
  set(work "${CMAKE_CURRENT_BINARY_DIR}/sinter/${target}")
  set(dir "${work}/emitted")
  if(arg_EMIT_DIR)
    get_filename_component(dir "${arg_EMIT_DIR}" ABSOLUTE)
  endif()
  set(options compile ${files} -o "${dir}" --name ${name} ${arg_FLAGS})
  if(arg_PLAN)
    get_filename_component(arg_PLAN "${arg_PLAN}" ABSOLUTE)
    list(APPEND options --plan "${arg_PLAN}")
  endif()
  if(arg_WEIGHTS)
    string(TOLOWER "${arg_WEIGHTS}" home)
    list(APPEND options --weights ${home})
  endif()
  if(DEFINED arg_LICENSE)
    string(REPLACE " " "_" license "${arg_LICENSE}")
    list(APPEND options --license ${license})
  endif()
  if(DEFINED arg_WEIGHTS_FROM)
    list(APPEND options --weights-from ${arg_WEIGHTS_FROM})
  endif()
  set(weights_of "")
  foreach(path IN LISTS arg_WEIGHTS_OF)
    get_filename_component(path "${path}" ABSOLUTE)
    list(APPEND weights_of "${path}")
    list(APPEND options --weights-of "${path}")
  endforeach()
  if(DEFINED arg_MAX_LAUNCHES)
    list(APPEND options --max-launches ${arg_MAX_LAUNCHES})
  endif()
  if(DEFINED arg_MAX_BYTES)
    list(APPEND options --max-bytes ${arg_MAX_BYTES})
  endif()
  if(arg_REQUIRE_FUSED)
    list(JOIN arg_REQUIRE_FUSED "," values)
    list(APPEND options --require-fused ${values})
  endif()

  # The list of sources is known when they are there: the first time, and after a change of options, now.
  set(before "")
  if(EXISTS "${work}/options" AND EXISTS "${dir}/manifest.json")
    file(READ "${work}/options" before)
  endif()
  if(NOT "${options}" STREQUAL before AND NOT (arg_EMIT_DIR AND EXISTS "${dir}/manifest.json"))
    get_target_property(sinter Sinter::sinter IMPORTED_LOCATION)
    execute_process(COMMAND "${sinter}" ${options}
                    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE "${work}/options" "${options}")
  endif()
  _sinter_emitted_files("${dir}" paths)
  _sinter_programs("${dir}" "${paths}" programs)

  # --- the library: the emitted project, as a part of this one ---
  if(arg_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "${arg_ARCHITECTURES}")
  endif()
  set(${NAME}_CPU OFF)
  if(arg_DEVICE STREQUAL "CPU")
    set(${NAME}_CPU ON)
  endif()
  if(arg_NVTX)
    set(${NAME}_NVTX ON)
  endif()
  set(${NAME}_CLI ON)
  set(${NAME}_HEADERS "${CMAKE_CURRENT_SOURCE_DIR}")
  set(${NAME}_INSTALL OFF)
  set(${NAME}_LIBRARY_TYPE ${type})
  add_subdirectory("${dir}" "${work}/build")
  set_target_properties(${name} PROPERTIES SINTER_NAME ${name} SINTER_FILES "${files}" SINTER_FLAGS "${arg_FLAGS}"
                        SINTER_WEIGHTS "${arg_WEIGHTS}" SINTER_WEIGHTS_OF "${weights_of}" SINTER_DIR "${dir}"
                        SINTER_COMMITTED "${arg_EMIT_DIR}")
  set(runners ${programs})
  if(NOT programs)
    set(runners ${name})
  endif()
  list(TRANSFORM runners APPEND _cli)
  set_target_properties(${runners} PROPERTIES EXCLUDE_FROM_ALL ON)  # of tests, see sinter_add_test
  if(NOT target STREQUAL name)
    add_library(${target} ALIAS ${name})
    add_library(${target}::${target} ALIAS ${name})
  endif()
  if(arg_NAMESPACE AND NOT TARGET ${arg_NAMESPACE}::${target})
    add_library(${arg_NAMESPACE}::${target} ALIAS ${name})
  endif()

  if(arg_EMIT_DIR)
    add_custom_target(${target}_emit COMMAND Sinter::sinter ${options}
                      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" VERBATIM)
    add_test(NAME ${target}_fresh COMMAND $<TARGET_FILE:Sinter::sinter> ${options} --fresh
             WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  else()
    # Other files keep their times where they stay as they are; that of manifest.json says when Sinter ran. The emitted
    # CMakeLists.txt is one of them: where kernels come and go, the build is configured again.
    list(REMOVE_ITEM paths "${dir}/manifest.json")
    add_custom_command(
      OUTPUT "${dir}/manifest.json" BYPRODUCTS ${paths}
      COMMAND Sinter::sinter ${options} --depfile "${work}/emitted.d"
      COMMAND ${CMAKE_COMMAND} -E touch "${dir}/manifest.json"
      DEPENDS ${files} ${weights_of} Sinter::sinter DEPFILE "${work}/emitted.d" WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      COMMENT "Compiling ${target} with Sinter" VERBATIM)
    add_custom_target(${target}_emit DEPENDS "${dir}/manifest.json")
    add_dependencies(${name} ${target}_emit)
    foreach(program IN LISTS programs)
      add_dependencies(${program} ${target}_emit)
    endforeach()
  endif()

  if(arg_HEADER)
    set(${arg_HEADER} "${dir}/include/${name}/${name}.h" PARENT_SCOPE)
  endif()
  if(arg_SOURCES)
    set(${arg_SOURCES} ${paths} PARENT_SCOPE)
  endif()
  if(arg_WEIGHTS_FILE)
    set(${arg_WEIGHTS_FILE} "${dir}/weights.safetensors" PARENT_SCOPE)
  endif()
  if(arg_EXPLAIN)
    set(plans "${dir}/fusion.json")
    if(programs)  # of each
      list(TRANSFORM programs REPLACE "(.+)" "${dir}/\\1/fusion.json" OUTPUT_VARIABLE plans)
    endif()
    set(${arg_EXPLAIN} "${plans}" PARENT_SCOPE)
  endif()
endfunction()

function(sinter_add_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ENTRY;INPUTS;EXPECT;RTOL;ATOL;WEIGHTS" "")
  foreach(required IN ITEMS INPUTS EXPECT)
    if(NOT arg_${required})
      message(FATAL_ERROR "sinter_add_test(${target}): ${required} is missing")
    endif()
    get_filename_component(arg_${required} "${arg_${required}}" ABSOLUTE)
  endforeach()
  set(tolerances "")
  foreach(tolerance IN ITEMS rtol atol)
    string(TOUPPER ${tolerance} argument)
    if(DEFINED arg_${argument})
      list(APPEND tolerances --${tolerance} ${arg_${argument}})
    endif()
  endforeach()
  get_target_property(name ${target} SINTER_NAME)
  get_target_property(files ${target} SINTER_FILES)
  get_target_property(dir ${target} SINTER_DIR)
  _sinter_emitted_files("${dir}" paths)
  _sinter_programs("${dir}" "${paths}" programs)
  set(test ${target}_values)
  set(folder "${dir}")
  if(arg_ENTRY)
    set(name ${name}_${arg_ENTRY})
    set(dir "${dir}/${name}")
    set(test ${target}_${arg_ENTRY}_values)
  endif()
  if(programs AND NOT name IN_LIST programs)
    message(FATAL_ERROR "sinter_add_test(${target}): ENTRY says which program is run, of ${programs} without ${target}_")
  endif()
  # The program's text, and which of a Grain file's it is.
  file(READ "${dir}/manifest.json" manifest)
  string(JSON hash GET "${manifest}" input_sha256)
  string(JSON options GET "${manifest}" options)
  string(REGEX MATCHALL "--(entry|dims)=[^ ]*" program "${options}")
  foreach(candidate IN LISTS files)
    file(SHA256 "${candidate}" found)
    if(NOT DEFINED file OR found STREQUAL hash)
      set(file "${candidate}")
    endif()
  endforeach()
  get_target_property(flags ${target} SINTER_FLAGS)
  if("--grain" IN_LIST flags)
    list(APPEND program --grain)
  endif()
  get_target_property(home ${target} SINTER_WEIGHTS)
  get_target_property(weights_of ${target} SINTER_WEIGHTS_OF)
  list(LENGTH weights_of count)
  if(count GREATER 1)
    list(FIND files "${file}" place)
    list(GET weights_of ${place} weights_of)
  endif()
  set(weights "")
  if(weights_of)
    list(APPEND weights --weights-of "${weights_of}")
    if(programs AND count EQUAL 1)
      list(APPEND weights --weights-shared)
    endif()
  endif()
  if(arg_WEIGHTS)
    get_filename_component(arg_WEIGHTS "${arg_WEIGHTS}" ABSOLUTE)
    list(APPEND weights --weights-file "${arg_WEIGHTS}")
  elseif(home STREQUAL "FILE" OR (weights_of AND NOT home))
    list(APPEND weights --weights-file "${folder}/weights.safetensors")
  elseif(home STREQUAL "CALLER" AND weights_of)
    list(APPEND weights --weights-file "${weights_of}")
  elseif(home STREQUAL "CALLER")
    message(FATAL_ERROR "sinter_add_test(${target}): WEIGHTS is missing: a file of the weights that the caller has")
  endif()
  set_target_properties(${name}_cli PROPERTIES EXCLUDE_FROM_ALL OFF)
  set(runner $<TARGET_FILE:${name}_cli>)
  if(CMAKE_CROSSCOMPILING_EMULATOR)  # Sinter is this machine's (and no target of tests, which would be emulated)
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)
    set(runner "${CMAKE_CURRENT_BINARY_DIR}/sinter/${test}.sh")
    file(GENERATE OUTPUT "${runner}" CONTENT "#!/bin/sh\nexec '${emulator}' '$<TARGET_FILE:${name}_cli>' \"$@\"\n"
         FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  endif()
  add_test(NAME ${test}
    COMMAND $<TARGET_FILE:Sinter::sinter> run "${file}" ${program} --built "${runner}"
            --inputs "${arg_INPUTS}" --expect "${arg_EXPECT}" ${tolerances} ${weights})
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    set_tests_properties(${test} PROPERTIES DISABLED ON)
  endif()
  set_tests_properties(${test} PROPERTIES
    ENVIRONMENT "XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/sinter/cache")
endfunction()

function(sinter_add_sbom target file)
  get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_target_property(dir ${target} SINTER_DIR)
  if(NOT dir)
    message(FATAL_ERROR "sinter_add_sbom(${target}): not a library of sinter_add_library")
  endif()
  get_property(script GLOBAL PROPERTY SINTER_SBOM_SCRIPT)
  set(manifest "${dir}/manifest.json")
  _sinter_emitted_files("${dir}" paths)
  add_custom_command(OUTPUT "${file}"
    COMMAND ${CMAKE_COMMAND} -D "DIR=${dir}" -D "OUT=${file}" -P "${script}"
    COMMAND ${CMAKE_COMMAND} -E touch "${file}"
    DEPENDS "${manifest}" ${paths} "${script}" COMMENT "Writing the bill of materials of ${target}" VERBATIM)
  add_custom_target(${target}_sbom ALL DEPENDS "${file}")
  get_target_property(committed ${target} SINTER_COMMITTED)
  if(NOT committed)  # else ${target}_emit would write the committed sources again
    add_dependencies(${target}_sbom ${target}_emit)
  endif()
endfunction()
