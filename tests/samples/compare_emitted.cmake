# Compiles INPUT with SINTER and the options FLAGS into WORK and fails unless the folder equals STORED, file
# by file. Of what all samples have alike, which is not stored (samples/.gitignore), the stored manifest has the hashes.
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${SINTER} compile ${INPUT} -o ${WORK} ${FLAGS} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "compile failed")
endif()

file(GLOB_RECURSE made RELATIVE ${WORK} ${WORK}/*)
file(GLOB_RECURSE stored RELATIVE ${STORED} ${STORED}/*)
set(files ${made} ${stored})
list(REMOVE_DUPLICATES files)
list(FILTER files EXCLUDE REGEX "(^|/)((cpu|device|launcher|runner)/|\\.(clang-format|gitattributes)$)")
set(different "")
foreach(file ${files})
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${WORK}/${file} ${STORED}/${file}
                  RESULT_VARIABLE same OUTPUT_QUIET ERROR_QUIET)
  if(NOT same EQUAL 0)
    list(APPEND different ${file})
  endif()
endforeach()
if(different)
  message(FATAL_ERROR "not what sinter emits now (./dev bless writes it anew): ${different}")
endif()
