# gxr_add_gxf_extension(NAME n    target; the file is libn.so
#   SOURCES file...               sources written for GXF, one of which has the factory macros
#   [LINK library...]             linked privately
#   [VERSION v])                  default: the calling project's version, or 0.0.0
#
# Compiles sources of a GXF extension against the layer's headers of GXF's names. The file is an extension of gxr like
# any other: it is linked with libgxr_gxf.so, says what it was built with, and lists its types.

# What makes an extension of a library: the layer, its entry and yaml-cpp, whose headers sources get with GXF's and which
# they bring themselves.
set(GXR_GXF_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")
if(NOT TARGET yaml-cpp AND NOT TARGET yaml-cpp::yaml-cpp)
  find_package(yaml-cpp QUIET)
endif()
if(NOT TARGET gxr_gxf_extension)
  add_library(gxr_gxf_extension INTERFACE IMPORTED GLOBAL)
  # The entry is for libraries that can be loaded, not for objects, archives and programs.
  set(type "$<TARGET_PROPERTY:TYPE>")
  set(entry "$<$<OR:$<STREQUAL:${type},SHARED_LIBRARY>,$<STREQUAL:${type},MODULE_LIBRARY>>:${GXR_GXF_CMAKE_DIR}/gxf_extension_entry.cpp>")
  set_target_properties(
    gxr_gxf_extension
    PROPERTIES INTERFACE_LINK_LIBRARIES
               "gxr::gxf;$<IF:$<TARGET_EXISTS:yaml-cpp::yaml-cpp>,yaml-cpp::yaml-cpp,yaml-cpp>"
               INTERFACE_SOURCES "${entry}"
               INTERFACE_INCLUDE_DIRECTORIES "$<TARGET_PROPERTY:gxr::gxr,INTERFACE_INCLUDE_DIRECTORIES>"
               INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "$<TARGET_PROPERTY:gxr::gxr,INTERFACE_INCLUDE_DIRECTORIES>"
               INTERFACE_COMPILE_DEFINITIONS "GXR_GXF_EXTENSION_NAME=\"$<TARGET_PROPERTY:NAME>\""
               # An extension whose types alone are used is needed as well.
               INTERFACE_LINK_OPTIONS "LINKER:--no-as-needed"
               # Extensions that bring different versions of a library do not meet.
               INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>")
endif()

function(gxr_add_gxf_extension)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;VERSION" "SOURCES;LINK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gxr_add_gxf_extension: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "gxr_add_gxf_extension: NAME and SOURCES are needed")
  endif()
  if(NOT TARGET yaml-cpp AND NOT TARGET yaml-cpp::yaml-cpp)
    message(FATAL_ERROR "gxr_add_gxf_extension: yaml-cpp is missing: install libyaml-cpp-dev")
  endif()
  set(version "${arg_VERSION}")
  if(NOT version)
    set(version "${PROJECT_VERSION}")
  endif()
  if(NOT version)
    set(version 0.0.0)
  endif()
  set(folder "${GXR_EXTENSION_OUTPUT_DIR}")
  if(NOT folder)
    set(folder "${CMAKE_BINARY_DIR}")
  endif()
  add_library(${arg_NAME} SHARED ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE gxr_gxf_extension ${arg_LINK})
  target_compile_definitions(${arg_NAME} PRIVATE "GXR_GXF_EXTENSION_VERSION=\"${version}\"")
  # INSTALL_RPATH_USE_LINK_PATH: libgxr_gxf.so lies where gxr was built or installed.
  set_target_properties(${arg_NAME} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${folder}" INSTALL_RPATH_USE_LINK_PATH ON
                                               UNITY_BUILD OFF)
  _gxr_add_types(${arg_NAME})
endfunction()
