# gxr_add_version_header(INTERFACE_LIBRARY): gxr/version.hpp, which holds the fingerprint of all public headers, in include/ of the
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
  # The versions of the interfaces between libgxr.so and libgxr_cuda.so, and libgxr_mpi.so, which are not installed.
  foreach(kind IN ITEMS device mpi)
    set(part device)
    if(kind STREQUAL mpi)
      set(part rank_run)
    endif()
    set(${kind}_header "${folder}/${part}/interface_version.hpp")
    set(own_command "${Python3_EXECUTABLE}" -B "${script}" "${PROJECT_SOURCE_DIR}/include"
                    "${PROJECT_SOURCE_DIR}/runner/${part}" --${kind}-header "${${kind}_header}")
    execute_process(COMMAND ${own_command} COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB own_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/runner/${part}/*.hpp")
    add_custom_command(
      OUTPUT "${${kind}_header}"
      COMMAND ${own_command}
      DEPENDS "${script}" ${headers} ${own_headers}
      VERBATIM)
  endforeach()
  add_custom_target(gxr_version_header DEPENDS "${header}" "${device_header}" "${mpi_header}")
  add_dependencies(${library} gxr_version_header)
  target_include_directories(${library} INTERFACE "${folder}")
  install(FILES "${header}" DESTINATION include/gxr COMPONENT dev)
endfunction()
