# gxr_add_gxf_extension(NAME n    target; the file is libn.so
#   SOURCES file...               sources written for GXF, one of which has the factory macros
#   [LINK library...]             linked privately
#   [VERSION v] [LICENSE l] [DESCRIPTION d])   as in gxr_add_extension
#
# Compiles sources of a GXF extension against the layer's headers of GXF's names. The file is an extension of gxr like
# any other: it is linked with libgxr_gxf.so, says what it was built with, and lists its types.

include_guard(GLOBAL)

set(GXR_GXF_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")

function(gxr_add_gxf_extension)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;VERSION;LICENSE;DESCRIPTION" "SOURCES;LINK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gxr_add_gxf_extension: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "gxr_add_gxf_extension: NAME and SOURCES are needed")
  endif()
  if(NOT GXR_EXTENSION_OUTPUT_DIR)
    set(GXR_EXTENSION_OUTPUT_DIR "${CMAKE_BINARY_DIR}")
  endif()
  add_library(${arg_NAME} SHARED ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LINK})
  set_target_properties(${arg_NAME} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${GXR_EXTENSION_OUTPUT_DIR}")
  gxr_finish_gxf_extension(${arg_NAME})
endfunction()

# Makes an extension of a library target whose sources have the factory macros.
function(gxr_finish_gxf_extension target)
  if(NOT TARGET yaml-cpp AND NOT TARGET yaml-cpp::yaml-cpp)
    find_package(yaml-cpp REQUIRED)
  endif()
  set(yaml yaml-cpp)
  if(TARGET yaml-cpp::yaml-cpp)
    set(yaml yaml-cpp::yaml-cpp)
  endif()
  target_link_libraries(${target} PRIVATE gxr::gxf ${yaml})
  foreach(field IN ITEMS VERSION LICENSE DESCRIPTION)
    if(NOT DEFINED arg_${field})
      set(arg_${field} "")
    endif()
  endforeach()
  if(NOT arg_VERSION)
    set(arg_VERSION "${PROJECT_VERSION}")
  endif()
  if(NOT arg_VERSION)
    set(arg_VERSION "0.0.0")
  endif()
  _gxr_add_descriptor(${target})
  # The descriptor is gxr's, and C++20; the sources may be older.
  set_property(
    SOURCE "${CMAKE_CURRENT_BINARY_DIR}/${target}_descriptor.cpp"
    APPEND
    PROPERTY COMPILE_OPTIONS -std=c++20)
  target_sources(${target} PRIVATE "${GXR_GXF_CMAKE_DIR}/gxf_extension_entry.cpp")
  # libgxr_gxf.so lies where gxr was built or installed.
  set_property(TARGET ${target} PROPERTY INSTALL_RPATH_USE_LINK_PATH ON)
  _gxr_add_types(${target})
endfunction()
