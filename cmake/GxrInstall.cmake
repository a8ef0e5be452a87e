# What `cmake --install` puts where. The layout is fixed, because gxr finds its extensions relative to
# itself: bin/gxr, lib/libgxr.so, lib/gxr/libgxr_*.so, lib/gxr/extensions/*.so.
#
# Components, each of which is a package (cmake/GxrPackage.cmake): runtime is what runs applications, dev what builds
# extensions and programs, cuda what needs CUDA's runtime library, media what needs GStreamer, mpi what needs MPI, dds what needs Cyclone DDS.

include(CMakePackageConfigHelpers)

set(config_dir lib/cmake/gxr)

install(
  TARGETS gxr_engine
  EXPORT gxrTargets
  LIBRARY DESTINATION lib
          COMPONENT runtime
          NAMELINK_COMPONENT dev)
install(
  TARGETS gxr_cli
  EXPORT gxrTargets
  RUNTIME DESTINATION bin COMPONENT runtime)
# The same executable by the name of GXF's own, which takes the flags of that.
install(CODE "file(CREATE_LINK gxr \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/gxe\" SYMBOLIC)" COMPONENT runtime)
foreach(folder IN ITEMS apps schemas)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION share/gxr COMPONENT runtime)
  endif()
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION share/doc/gxr
        COMPONENT runtime)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION share/doc/gxr COMPONENT runtime)

install(
  DIRECTORY "${PROJECT_BINARY_DIR}/pages/man1"
  DESTINATION share/man
  COMPONENT runtime
  PATTERN gxr-declare.1 EXCLUDE)
install(FILES "${PROJECT_BINARY_DIR}/pages/man1/gxr-declare.1" DESTINATION share/man/man1 COMPONENT dev)
install(FILES "${PROJECT_BINARY_DIR}/pages/gxr" "${PROJECT_BINARY_DIR}/pages/gxe"
        DESTINATION share/bash-completion/completions COMPONENT runtime)
install(FILES "${PROJECT_BINARY_DIR}/pages/_gxr" DESTINATION share/zsh/site-functions COMPONENT runtime)
install(FILES "${PROJECT_BINARY_DIR}/pages/gxr.fish" "${PROJECT_BINARY_DIR}/pages/gxe.fish"
        DESTINATION share/fish/vendor_completions.d COMPONENT runtime)

# Opened by gxr and by libgxr.so, which look for them here; nobody links them.
install(TARGETS gxr_commands gxr_yaml LIBRARY DESTINATION lib/gxr COMPONENT runtime)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/gxr" DESTINATION include COMPONENT dev)
install(
  TARGETS gxr-declare
  EXPORT gxrTargets
  RUNTIME DESTINATION bin COMPONENT dev)
install(
  EXPORT gxrTargets
  NAMESPACE gxr::
  DESTINATION ${config_dir}
  COMPONENT dev)
# Not at the top of the build folder, where find_package() would take them for an installation if PATH has it.
set(config_files "${PROJECT_BINARY_DIR}/config_files")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gxrConfig.cmake.in"
                              "${config_files}/gxrConfig.cmake" INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file("${config_files}/gxrConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES "${config_files}/gxrConfig.cmake" "${config_files}/gxrConfigVersion.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrAddExtension.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrAddTranscriptTests.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrCreateGxeApplication.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrEnableCuda.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrExports.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/extension_descriptor.cpp.in"
  DESTINATION ${config_dir}
  COMPONENT dev)
install(
  PROGRAMS "${PROJECT_SOURCE_DIR}/tests/transcripts/run.py"
  DESTINATION ${config_dir}
  COMPONENT dev
  RENAME run_transcripts.py)
configure_file("${PROJECT_SOURCE_DIR}/cmake/gxr.pc.in" "${PROJECT_BINARY_DIR}/gxr.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/gxr.pc" DESTINATION lib/pkgconfig COMPONENT dev)
