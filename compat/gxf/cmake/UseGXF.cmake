# The functions of GXF's CMake module of this name.

include_guard(GLOBAL)

# gxf_add_extension_library(NAME n SOURCES file... [PUBLIC_HEADERS file...] [PUBLIC_DEPENDS library...]
#                           [PRIVATE_DEPENDS library...] [NO_INSTALL])
# Makes the target n, alias GXF::n, and the file libgxf_n.so.
function(gxf_add_extension_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "NO_INSTALL" "NAME" "SOURCES;PUBLIC_HEADERS;PUBLIC_DEPENDS;PRIVATE_DEPENDS")
  if(NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "gxf_add_extension_library: NAME and SOURCES are needed")
  endif()
  add_library(${arg_NAME} SHARED ${arg_SOURCES} ${arg_PUBLIC_HEADERS})
  add_library(GXF::${arg_NAME} ALIAS ${arg_NAME})
  target_link_libraries(
    ${arg_NAME}
    PUBLIC ${arg_PUBLIC_DEPENDS}
    PRIVATE ${arg_PRIVATE_DEPENDS})
  target_include_directories(${arg_NAME} PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>")
  set_target_properties(${arg_NAME} PROPERTIES OUTPUT_NAME "gxf_${arg_NAME}")
  set_target_properties(${arg_NAME} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  target_link_libraries(${arg_NAME} PRIVATE gxr_gxf_extension)
  if(NOT arg_NO_INSTALL)
    install(TARGETS ${arg_NAME} LIBRARY DESTINATION lib)
  endif()
endfunction()

# gxf_generate_manifest_file([DESTINATION folder] [HEADER text] EXTENSION_TARGETS target...)
# Writes manifest.yaml, the list of the targets' files, as `gxr run -m` reads it.
function(gxf_generate_manifest_file)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DESTINATION;HEADER" "EXTENSION_TARGETS")
  if(NOT arg_EXTENSION_TARGETS)
    message(FATAL_ERROR "gxf_generate_manifest_file: EXTENSION_TARGETS is needed")
  endif()
  set(text "${arg_HEADER}\nextensions:\n")
  foreach(target IN LISTS arg_EXTENSION_TARGETS)
    string(APPEND text "- $<TARGET_FILE:${target}>\n")
  endforeach()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  if(arg_DESTINATION)
    get_filename_component(folder "${arg_DESTINATION}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  file(GENERATE OUTPUT "${folder}/manifest.yaml" CONTENT "${text}")
endfunction()
