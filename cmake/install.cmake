# `cmake --install`: the program, its manual page and completion, its CMake package (find_package(Sinter)) and its
# pkg-config file. `cpack` makes a .deb and a tarball of them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Sinter)
set(configured ${CMAKE_BINARY_DIR}/package)
configure_package_config_file(cmake/package/SinterConfig.cmake.in ${configured}/SinterConfig.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${configured}/SinterConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)  # of the target: the program runs on the host
configure_file(cmake/package/sinter.pc.in ${configured}/sinter.pc @ONLY)

install(TARGETS sinter RUNTIME)
install(FILES ${configured}/SinterConfig.cmake ${configured}/SinterConfigVersion.cmake
              cmake/package/SinterAddLibrary.cmake cmake/package/SinterSbom.cmake cmake/package/SinterTry.cmake
        DESTINATION ${package})
install(FILES ${configured}/sinter.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(FILES cmake/package/sinter.bzl DESTINATION ${CMAKE_INSTALL_DATADIR}/sinter)  # of Bazel

# What the program itself writes; where it cannot run on this machine, it is left out.
function(install_written file)
  get_filename_component(folder ${file} DIRECTORY)
  install(CODE "
    set(file \"\${CMAKE_INSTALL_PREFIX}/${file}\")
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
    execute_process(COMMAND \"$<TARGET_FILE:sinter>\" ${ARGN} OUTPUT_FILE \"\$ENV{DESTDIR}\${file}\"
                    COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${file}\")")
endfunction()
if(NOT CMAKE_CROSSCOMPILING)
  install_written(${CMAKE_INSTALL_MANDIR}/man1/sinter.1 man)
  install_written(${CMAKE_INSTALL_DATADIR}/bash-completion/completions/sinter completion bash)
  install_written(${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_sinter completion zsh)
  install_written(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/sinter.fish completion fish)
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME sinter)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Ahead-of-time compiler from HLO text to readable CUDA C++")
set(CPACK_PACKAGE_CONTACT "the Sinter maintainers")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, cmake")
include(CPack)
