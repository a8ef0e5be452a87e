# create_gxe_application(
#   NAME name                   of the application
#   YAML file...                its files, relative to the current source folder
#   [EXTENSIONS extension...])  targets of gxr_add_extension, or names of extensions
#
# Writes into the current build folder, for each application: NAME_manifest.yaml, which lists the
# extensions, and NAME and NAME.sh, which start gxe with both and pass their own arguments on. An extension that
# is no target, such as GXF::std, is one of those that gxr has itself: its line, libgxf_std.so, is there
# for GXF, and gxr passes over it. Of the others of GXF it warns; any other name is an error. Targets must
# exist before the call. Makes no target, so that the caller may call a custom target NAME; an
# executable of that name in the same folder would take the place of the script.
#
# HOLOSCAN_DOWNLOAD_DATASETS is accepted, but gxr downloads nothing. With it there is a target NAME_data for each name in
# GXR_DATA_SETS ("endoscopy" unless set), so that add_dependencies(my_app endoscopy_data) works. It says where the
# data set is taken from: the folder NAME in the folder GXR_DATA, a variable of CMake or of the environment.

include_guard(GLOBAL)

# Extensions whose types gxr has, by GXF's names and its own, and those of GXF that it has not.
set(GXR_EXTENSION_NAMES
    arithmetic behavior_tree cuda dds hello image media multimedia my_recorder npp packets poisson sample serialization std stream_playback test
    testing)
set(GXR_MISSING_GXF_EXTENSIONS benchmark grpc http ipc network python_codelet stream ucx)

# Makes the targets of data sets, and says where those are taken from.
function(_gxr_add_data_sets)
  if(NOT DEFINED GXR_DATA_SETS)
    set(GXR_DATA_SETS endoscopy)
  endif()
  if(NOT GXR_DATA AND DEFINED ENV{GXR_DATA})
    set(GXR_DATA "$ENV{GXR_DATA}")
  endif()
  foreach(name IN LISTS GXR_DATA_SETS)
    if(NOT GXR_DATA)
      set(line "gxr downloads no data sets; the folder with '${name}' in it is named with -DGXR_DATA=FOLDER")
    elseif(EXISTS "${GXR_DATA}/${name}")
      set(line "gxr downloads no data sets; '${name}' is taken from ${GXR_DATA}/${name} (GXR_DATA)")
    else()
      set(line "gxr downloads no data sets; '${name}' would be taken from ${GXR_DATA}/${name} (GXR_DATA), which is not there")
    endif()
    message(STATUS "${line}")
    if(NOT TARGET ${name}_data)
      add_custom_target(${name}_data COMMAND "${CMAKE_COMMAND}" -E echo "${line}" VERBATIM)
    endif()
  endforeach()
endfunction()

if(HOLOSCAN_DOWNLOAD_DATASETS)
  _gxr_add_data_sets()
endif()

# Sets ${result} to the manifest's entry for an extension of the application NAME.
function(_gxr_manifest_entry application extension result)
  if(TARGET ${extension})
    set(${result} "$<TARGET_FILE:${extension}>" PARENT_SCOPE)
    return()
  endif()
  string(REGEX REPLACE "^GXF::" "" name "${extension}")
  if(name IN_LIST GXR_MISSING_GXF_EXTENSIONS)
    message(WARNING "create_gxe_application(${application}): gxr does not have the types of ${extension}")
  elseif(NOT name IN_LIST GXR_EXTENSION_NAMES)
    list(JOIN GXR_EXTENSION_NAMES ", " known)
    message(
      FATAL_ERROR
        "create_gxe_application(${application}): ${extension} is neither a target (is it added after this call?) "
        "nor an extension of gxr (${known})")
  endif()
  set(${result} "libgxf_${name}.so" PARENT_SCOPE)
endfunction()

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
    _gxr_manifest_entry(${arg_NAME} ${extension} entry)
    string(APPEND manifest "- ${entry}\n")
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
  foreach(script IN ITEMS ${arg_NAME} ${arg_NAME}.sh)
    file(
      GENERATE
      OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${script}"
      CONTENT
        "#!/bin/sh\n# Runs ${arg_NAME}; arguments are flags of gxe.\nexec \"$<TARGET_FILE_DIR:gxr::runner>/gxe\" -app \"${files}\" -manifest \"${manifest_file}\" \"$@\"\n"
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                       WORLD_EXECUTE)
  endforeach()
endfunction()
