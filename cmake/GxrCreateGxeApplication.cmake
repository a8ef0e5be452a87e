# create_gxe_application(
#   NAME name                   of the application
#   YAML file...                its files, relative to the current source folder
#   [EXTENSIONS extension...])  targets of gxr_add_extension, or names of extensions
#
# Writes into the current build folder, for each application: NAME_manifest.yaml, which lists the
# extensions, and NAME.sh, which starts gxe with both and passes its own arguments on. An extension that
# is no target, such as GXF::std, is one of those that gxr has itself: its line, libgxf_std.so, is there
# for GXF, and gxr passes over it. Makes no target, so that the caller may call one NAME.

include_guard(GLOBAL)

function(create_gxe_application)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "YAML;EXTENSIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "create_gxe_application: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(key IN ITEMS NAME YAML)
    if(NOT arg_${key})
      message(FATAL_ERROR "create_gxe_application: ${key} is missing")
    endif()
  endforeach()

  set(manifest "# Extensions of ${arg_NAME}, for gxe -manifest.\nextensions:\n")
  foreach(extension IN LISTS arg_EXTENSIONS)
    if(TARGET ${extension})
      string(APPEND manifest "- $<TARGET_FILE:${extension}>\n")
    else()
      string(REGEX REPLACE "^GXF::" "" name "${extension}")
      string(APPEND manifest "- libgxf_${name}.so\n")
    endif()
  endforeach()
  if(NOT arg_EXTENSIONS)
    string(APPEND manifest "[]\n")
  endif()
  set(manifest_file "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}_manifest.yaml")
  file(GENERATE OUTPUT "${manifest_file}" CONTENT "${manifest}")

  set(files "")
  foreach(file IN LISTS arg_YAML)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "create_gxe_application(${arg_NAME}): ${file} does not exist")
    endif()
    list(APPEND files "${file}")
  endforeach()
  list(JOIN files "," files)
  file(
    GENERATE
    OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.sh"
    CONTENT
      "#!/bin/sh\n# Runs ${arg_NAME}; arguments are flags of gxe.\nexec \"$<TARGET_FILE_DIR:gxr::runner>/gxe\" -app \"${files}\" -manifest \"${manifest_file}\" \"$@\"\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                     WORLD_EXECUTE)
endfunction()
