# With SINTER_UNITY, the files of a room (a folder) are compiled as one: a build from nothing then takes half as long,
# as headers are read once a room. So no two files of a room give two things one name.
function(sinter_together target)
  if(NOT SINTER_UNITY)
    return()
  endif()
  foreach(source ${ARGN})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" room ${room})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# A wing of the house is a folder with one library: every .cpp below it belongs to it, whatever its room.
function(sinter_room name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(sinter_${name} STATIC ${sources})
  target_link_libraries(sinter_${name} PRIVATE sinter_options PUBLIC ${ARG_LINK})
  sinter_together(sinter_${name} ${sources})
endfunction()
