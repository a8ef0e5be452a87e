# gxr_add_version_header(LIBRARY): gxr/version.hpp, which holds the fingerprint of all public headers, in include/ of the
# build folder. Made at configuration, so that tools which never build find it, and again by each build in which a
# header has changed.
function(gxr_add_version_header library)
  set(folder "${PROJECT_BINARY_DIR}/include")
  set(header "${folder}/gxr/version.hpp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/abi_fingerprint.py")
  set(command "${Python3_EXECUTABLE}" -B "${script}" "${PROJECT_SOURCE_DIR}/include" --header "${header}" --version
              ${PROJECT_VERSION})
  execute_process(COMMAND ${command} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/*.hpp")
  add_custom_command(
    OUTPUT "${header}"
    COMMAND ${command}
    DEPENDS "${script}" ${headers}
    VERBATIM)
  add_custom_target(gxr_version_header DEPENDS "${header}")
  add_dependencies(${library} gxr_version_header)
  target_include_directories(${library} PUBLIC "$<BUILD_INTERFACE:${folder}>")
  install(FILES "${header}" DESTINATION include/gxr COMPONENT dev)
endfunction()
