# gxr_add_extension(NAME
#   SOURCES file...             the extension's own sources
#   [VERSION v]                 default: the calling project's version, or 0.0.0
#   [LICENSE l]                 SPDX identifier, e.g. Apache-2.0
#   [DESCRIPTION d]             one line
#   [LINK library...]           linked privately
#   [OUTPUT_NAME name]          file name without ".so"; default: NAME
#   [EXPORT symbol...]          what others find in the file besides gxr's own two, as the linker knows it (*, ?)
#   [NO_TYPES])                 leave the type list out
#
# Makes a target NAME that builds ${GXR_EXTENSION_OUTPUT_DIR}/NAME.so (default of that variable:
# "extensions" in the build folder). The file carries two sections that gxr reads without running it:
# .gxr.extension, compiled in, says who it is and what it was built with; .gxr.types, added after
# linking, holds what gxr-declare found by running the declarations once.
#
# The file keeps its symbols to itself, also those of static libraries, so that extensions which bring different
# versions of a library do not meet.

include_guard(GLOBAL)

set(GXR_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")
include("${GXR_CMAKE_DIR}/GxrExports.cmake")

function(gxr_add_extension name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_TYPES" "VERSION;LICENSE;DESCRIPTION;OUTPUT_NAME"
                        "SOURCES;LINK;EXPORT")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gxr_add_extension(${name}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "gxr_add_extension(${name}): SOURCES is missing")
  endif()
  if(NOT CMAKE_OBJCOPY)
    message(FATAL_ERROR "gxr_add_extension(${name}): objcopy not found: install binutils")
  endif()
  if(NOT arg_VERSION)
    set(arg_VERSION "${PROJECT_VERSION}")
  endif()
  if(NOT arg_VERSION)
    set(arg_VERSION "0.0.0")
  endif()
  if(NOT arg_OUTPUT_NAME)
    set(arg_OUTPUT_NAME "${name}")
  endif()
  set(directory "${GXR_EXTENSION_OUTPUT_DIR}")
  if(NOT directory)
    set(directory "${CMAKE_BINARY_DIR}/extensions")
  endif()

  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE gxr::gxr ${arg_LINK})
  target_compile_features(${name} PRIVATE cxx_std_20)
  set_target_properties(
    ${name}
    PROPERTIES PREFIX ""
               SUFFIX ".so"
               OUTPUT_NAME "${arg_OUTPUT_NAME}"
               LIBRARY_OUTPUT_DIRECTORY "${directory}"
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON)
  gxr_export_only(${name} gxr_extension gxr_extension_descriptor ${arg_EXPORT})
  _gxr_add_descriptor(${name})
  if(NOT arg_NO_TYPES)
    _gxr_add_types(${name})
  endif()
endfunction()

# Adds the generated source with the section .gxr.extension.
function(_gxr_add_descriptor target)
  set(extension_name "${target}")
  foreach(field IN ITEMS VERSION LICENSE DESCRIPTION)
    string(TOLOWER "extension_${field}" variable)
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" ${variable} "${arg_${field}}")
    string(REGEX REPLACE "[ \n]+" " " ${variable} "${${variable}}")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_descriptor.cpp")
  configure_file("${GXR_CMAKE_DIR}/extension_descriptor.cpp.in" "${source}" @ONLY)
  target_sources(${target} PRIVATE "${source}")
endfunction()

# Adds the section .gxr.types. The section flags say that it is not loaded: only readers of the file see it.
function(_gxr_add_types target)
  set(types "${CMAKE_CURRENT_BINARY_DIR}/${target}_types.json")
  add_custom_command(
    TARGET ${target}
    POST_BUILD
    COMMAND gxr::declare "$<TARGET_FILE:${target}>" "${types}"
    COMMAND
      "${CMAKE_OBJCOPY}" --remove-section .gxr.types --add-section ".gxr.types=${types}"
      --set-section-flags .gxr.types=noload,readonly "$<TARGET_FILE:${target}>"
    VERBATIM)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "$<TARGET_FILE:gxr::declare>")
endfunction()
