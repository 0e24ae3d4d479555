# A wing of the house is a folder with one library: every .cpp below it belongs to it, whatever its room.
function(sinter_room name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(sinter_${name} STATIC ${sources})
  target_link_libraries(sinter_${name} PRIVATE sinter_options PUBLIC ${ARG_LINK})
endfunction()
