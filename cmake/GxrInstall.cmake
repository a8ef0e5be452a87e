# What `cmake --install` puts where. The layout is fixed, because gxr finds its extensions relative to
# itself: bin/gxr, lib/libgxr*.so, lib/gxr/extensions/*.so.

include(CMakePackageConfigHelpers)

set(config_dir lib/cmake/gxr)

install(
  TARGETS gxr_engine gxr_cli gxr-declare
  EXPORT gxrTargets
  RUNTIME DESTINATION bin
  LIBRARY DESTINATION lib)
# The same executable by the name of GXF's own, which takes the flags of that.
install(CODE "file(CREATE_LINK gxr \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/gxe\" SYMBOLIC)")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/gxr" DESTINATION include)
foreach(folder IN ITEMS apps schemas)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION share/gxr)
  endif()
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/gxr)

# Opened by gxr and by libgxr.so, beside which they are looked for; nobody links them.
install(TARGETS gxr_commands gxr_yaml LIBRARY DESTINATION lib)

install(EXPORT gxrTargets NAMESPACE gxr:: DESTINATION ${config_dir})
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gxrConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/gxrConfig.cmake" INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gxrConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/gxrConfig.cmake" "${PROJECT_BINARY_DIR}/gxrConfigVersion.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrAddExtension.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrAddTranscriptTests.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrCreateGxeApplication.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GxrExports.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/extension_descriptor.cpp.in"
  DESTINATION ${config_dir})
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tests/transcripts/run.py" DESTINATION ${config_dir} RENAME run_transcripts.py)
install(FILES "${PROJECT_SOURCE_DIR}/tests/transcripts/FORMAT.md" DESTINATION share/doc/gxr RENAME transcripts.md)
