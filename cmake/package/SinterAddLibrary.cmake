# sinter_add_library(<target> <file> [<file> ...]
#     [NAME n] [NAMESPACE ns] [STATIC|SHARED|OBJECT] [DEVICE CUDA|CPU|AUTO] [NVTX]
#     [ARCHITECTURES 80-real 90a-real] [FLAGS --no-fma ...] [PLAN file]
#     [WEIGHTS EMBED|FILE|CALLER] [WEIGHTS_FROM bytes] [WEIGHTS_OF file.safetensors ...] [LICENSE expression]
#     [MAX_LAUNCHES n] [MAX_BYTES n] [REQUIRE_FUSED value ...]
#     [EMIT_DIR dir] [HEADER var] [HEADER_FOLDERS var] [SOURCES var] [EXPLAIN var] [WEIGHTS_FILE var])
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
set_property(GLOBAL PROPERTY SINTER_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}")

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

# Of the arguments of a call, those that have no value, or no meaning.
function(_sinter_refuse_arguments call valueless unknown)
  if(valueless)
    list(GET valueless 0 keyword)
    message(FATAL_ERROR "${call}: ${keyword} needs a value")
  endif()
  if(unknown)
    list(JOIN unknown " " unknown)
    message(FATAL_ERROR "${call}: not understood: ${unknown}")
  endif()
endfunction()

# The folder that a library was emitted to.
function(_sinter_folder call target out)
  set(dir "")
  if(TARGET ${target})
    get_target_property(dir ${target} SINTER_DIR)
  endif()
  if(NOT dir)
    message(FATAL_ERROR "${call}: not a library of sinter_add_library")
  endif()
  set(${out} "${dir}" PARENT_SCOPE)
endfunction()

function(sinter_add_library target)
  set(call "sinter_add_library(${target})")
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;SHARED;OBJECT;NVTX"
    "NAME;NAMESPACE;DEVICE;PLAN;WEIGHTS;WEIGHTS_FROM;LICENSE;MAX_LAUNCHES;MAX_BYTES;EMIT_DIR;HEADER;HEADER_FOLDERS;SOURCES;EXPLAIN;WEIGHTS_FILE"
    "ARCHITECTURES;FLAGS;REQUIRE_FUSED;WEIGHTS_OF")
  set(files "")
  set(unknown "")
  foreach(path IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(absolute "${path}" ABSOLUTE)
    if(EXISTS "${absolute}")
      list(APPEND files "${absolute}")
    elseif(path MATCHES "[./]")
      message(FATAL_ERROR "${call}: ${path} does not exist. Sinter reads it when the project is configured: what "
                          "add_custom_command makes is there too late, what execute_process makes before is not")
    else()
      list(APPEND unknown "${path}")
    endif()
  endforeach()
  _sinter_refuse_arguments("${call}" "${arg_KEYWORDS_MISSING_VALUES}" "${unknown}")
  if(NOT files)
    message(FATAL_ERROR "${call}: the model's file is missing: sinter_add_library(${target} ${target}.hlo)")
  endif()
  set(name ${target})
  if(arg_NAME)
    set(name ${arg_NAME})
  endif()
  string(TOUPPER ${name} NAME)
  foreach(taken IN ITEMS ${target} ${name})
    if(TARGET ${taken} OR TARGET ${taken}::${taken})
      message(FATAL_ERROR "${call}: two models or targets are called ${taken}: give one of them another name (its first "
                          "argument, or NAME)")
    endif()
  endforeach()

  set(type "")
  foreach(candidate IN ITEMS STATIC SHARED OBJECT)
    if(arg_${candidate})
      list(APPEND type ${candidate})
    endif()
  endforeach()
  list(LENGTH type count)
  if(count GREATER 1)
    list(JOIN type " and " type)
    message(FATAL_ERROR "${call}: ${type}: a library is one of them")
  elseif(count EQUAL 0)
    set(type STATIC)
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT arg_DEVICE OR arg_DEVICE STREQUAL "AUTO")
    set(arg_DEVICE CPU)
    if("CUDA" IN_LIST languages)
      set(arg_DEVICE CUDA)
    endif()
  elseif(NOT arg_DEVICE MATCHES "^(CPU|CUDA)$")
    message(FATAL_ERROR "${call}: DEVICE is CUDA, CPU or AUTO, not ${arg_DEVICE}")
  endif()

  # --- the command ---
  set(work "${CMAKE_CURRENT_BINARY_DIR}/sinter/${target}")
  set(dir "${work}/emitted")
  if(arg_EMIT_DIR)
    get_filename_component(dir "${arg_EMIT_DIR}" ABSOLUTE)
  endif()
  set(options ${files} --name ${name} ${arg_FLAGS})
  if(arg_PLAN)
    get_filename_component(arg_PLAN "${arg_PLAN}" ABSOLUTE)
    list(APPEND options --plan "${arg_PLAN}")
  endif()
  if(arg_WEIGHTS)
    string(TOUPPER "${arg_WEIGHTS}" arg_WEIGHTS)
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
  set(merging merge "${dir}" ${options})
  set(options compile ${options} -o "${dir}")

  # The list of sources is known when they are there: the first time, and after a change of options, now.
  set(before "")
  if(EXISTS "${work}/options" AND EXISTS "${dir}/manifest.json")
    file(READ "${work}/options" before)
  endif()
  if(NOT "${options}" STREQUAL before AND NOT (arg_EMIT_DIR AND EXISTS "${dir}/manifest.json"))
    get_target_property(sinter Sinter::sinter IMPORTED_LOCATION)
    execute_process(COMMAND "${sinter}" ${options} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
                    RESULT_VARIABLE result ERROR_VARIABLE said ERROR_STRIP_TRAILING_WHITESPACE)
    if(NOT result EQUAL 0)
      if(said STREQUAL "")
        set(said "${sinter}: ${result}")
      endif()
      string(REPLACE "\n" "\n  " said "${said}")  # CMake leaves lines as they are that begin with blanks
      message(FATAL_ERROR "${call}:\n  ${said}")
    elseif(NOT said STREQUAL "")
      message(NOTICE "${said}")
    endif()
    file(WRITE "${work}/options" "${options}")
  endif()
  _sinter_emitted_files("${dir}" paths)
  if(arg_WEIGHTS_FILE AND NOT "${dir}/weights.safetensors" IN_LIST paths)
    message(FATAL_ERROR "${call}: WEIGHTS_FILE: no file of weights is written; with WEIGHTS FILE one is")
  endif()

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
  set(programs "")
  add_subdirectory("${dir}" "${work}/build")
  get_directory_property(programs DIRECTORY "${work}/build" DEFINITION programs)  # of several, in their order
  set_target_properties(${name} PROPERTIES SINTER_NAME ${name} SINTER_FILES "${files}" SINTER_FLAGS "${arg_FLAGS}"
                        SINTER_WEIGHTS "${arg_WEIGHTS}" SINTER_WEIGHTS_OF "${weights_of}" SINTER_DIR "${dir}"
                        SINTER_PROGRAMS "${programs}" SINTER_COMMITTED "${arg_EMIT_DIR}")
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
    get_property(scripts GLOBAL PROPERTY SINTER_SCRIPTS)
    list(JOIN merging " " merging)
    add_custom_target(${target}_emit
      COMMAND ${CMAKE_COMMAND} -D "SAY=${call}: where edits by hand would be lost, this keeps them"
              -D "DO=$<TARGET_FILE:Sinter::sinter> ${merging}" -P "${scripts}/SinterTry.cmake"
              -- $<TARGET_FILE:Sinter::sinter> ${options}
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" VERBATIM)
    add_test(NAME ${target}_fresh
      COMMAND ${CMAKE_COMMAND} -D "SAY=${call}: the committed sources are not what the model's file gives. This writes them again"
              -D "DO=cmake --build ${CMAKE_BINARY_DIR} --target ${target}_emit" -P "${scripts}/SinterTry.cmake"
              -- $<TARGET_FILE:Sinter::sinter> ${options} --fresh
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
  if(arg_HEADER_FOLDERS)
    set(folders ${programs})
    list(TRANSFORM folders REPLACE "(.+)" "${dir}/\\1/include/\\1")
    set(${arg_HEADER_FOLDERS} "${dir}/include/${name}" ${folders} PARENT_SCOPE)
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
  set(call "sinter_add_test(${target})")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ENTRY;INPUTS;EXPECT;RTOL;ATOL;WEIGHTS" "")
  _sinter_refuse_arguments("${call}" "${arg_KEYWORDS_MISSING_VALUES}" "${arg_UNPARSED_ARGUMENTS}")
  _sinter_folder("${call}" ${target} dir)
  foreach(argument IN ITEMS INPUTS EXPECT WEIGHTS)
    if(arg_${argument})
      get_filename_component(path "${arg_${argument}}" ABSOLUTE)
      get_source_file_property(made "${path}" GENERATED)
      if(NOT EXISTS "${path}" AND NOT made)
        message(FATAL_ERROR "${call}: ${argument}: ${arg_${argument}} does not exist")
      endif()
      set(arg_${argument} "${path}")
    elseif(NOT argument STREQUAL "WEIGHTS")
      message(FATAL_ERROR "${call}: ${argument} is missing")
    endif()
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
  get_target_property(programs ${target} SINTER_PROGRAMS)
  set(test ${target}_values)
  set(folder "${dir}")
  if(programs)
    set(entries ${programs})
    list(TRANSFORM entries REPLACE "^${name}_" "")
    if(NOT "${arg_ENTRY}" IN_LIST entries)
      list(JOIN entries ", " entries)
      message(FATAL_ERROR "${call}: ENTRY says which program is run: one of ${entries}")
    endif()
    set(name ${name}_${arg_ENTRY})
    set(dir "${dir}/${name}")
    set(test ${target}_${arg_ENTRY}_values)
  elseif(arg_ENTRY)
    message(FATAL_ERROR "${call}: ENTRY is for libraries of several programs, and this is one")
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
    list(APPEND weights --weights-file "${arg_WEIGHTS}")
  elseif(home STREQUAL "FILE" OR (weights_of AND NOT home))
    list(APPEND weights --weights-file "${folder}/weights.safetensors")
  elseif(home STREQUAL "CALLER" AND weights_of)
    list(APPEND weights --weights-file "${weights_of}")
  elseif(home STREQUAL "CALLER")
    message(FATAL_ERROR "${call}: WEIGHTS is missing: a file of the weights that the caller has")
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
  set(call "sinter_add_sbom(${target})")
  _sinter_refuse_arguments("${call}" "" "${ARGN}")
  _sinter_folder("${call}" ${target} dir)
  get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_property(scripts GLOBAL PROPERTY SINTER_SCRIPTS)
  set(script "${scripts}/SinterSbom.cmake")
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
