# Runs a command; where it fails, says what may be done about it.
#   cmake -D SAY=sentence -D DO=command -P SinterTry.cmake -- command...
cmake_minimum_required(VERSION 3.24)

set(command "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(begun)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(begun ON)
  endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${SAY}:\n  ${DO}")
endif()
