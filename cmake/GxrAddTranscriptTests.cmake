# gxr_add_transcript_tests(FOLDER): a test transcript/NAME for each NAME.test in and below the folder.
#
# A transcript holds files, commands and the output they must print; share/doc/gxr/docs/transcripts.md describes the format.
# Its commands find `gxr`, the extensions of this project (no -x is needed), the folder of the project in
# $GXR_SOURCE_DIR, and that of the extensions in $GXR_TEST_EXTENSIONS. Call enable_testing() first.

include_guard(GLOBAL)

set(GXR_TRANSCRIPTS_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/run_transcripts.py")

# Sets the variable to the CTest labels of a transcript.
function(gxr_labels_of_transcript variable transcript)
  set(labels transcript)
  file(STRINGS "${transcript}" needs_gpu REGEX "^== requires .*gpu")
  if(needs_gpu)
    list(APPEND labels gpu)
  endif()
  file(STRINGS "${transcript}" label_lines REGEX "^== label ")
  foreach(line IN LISTS label_lines)
    string(REGEX REPLACE "^== label " "" words "${line}")
    separate_arguments(words)
    list(APPEND labels ${words})
  endforeach()
  set(${variable} "${labels}" PARENT_SCOPE)
endfunction()

function(gxr_add_transcript_tests folder)
  if(NOT TARGET Python3::Interpreter)
    find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  endif()
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  if(NOT IS_DIRECTORY "${folder}")
    message(FATAL_ERROR "gxr_add_transcript_tests: there is no folder ${folder}")
  endif()
  set(extensions "${GXR_EXTENSION_OUTPUT_DIR}")
  if(NOT extensions)
    set(extensions "${CMAKE_BINARY_DIR}/extensions")
  endif()
  set(have "")
  foreach(word IN LISTS GXR_TRANSCRIPTS_HAVE)
    list(APPEND have --have ${word})
  endforeach()
  file(GLOB_RECURSE transcripts CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*.test")
  if(NOT transcripts)
    message(WARNING "gxr_add_transcript_tests: there is no *.test in ${folder}")
  endif()
  foreach(transcript IN LISTS transcripts)
    cmake_path(REMOVE_EXTENSION transcript LAST_ONLY OUTPUT_VARIABLE name)
    gxr_labels_of_transcript(labels "${folder}/${transcript}")
    add_test(NAME transcript/${name}
             COMMAND Python3::Interpreter -B "${GXR_TRANSCRIPTS_SCRIPT}" "${folder}/${transcript}" --gxr
                     "$<TARGET_FILE:gxr::runner>" --source-dir "${PROJECT_SOURCE_DIR}" --extension-path "${extensions}"
                     ${have})
    set_tests_properties(transcript/${name} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT 600)
  endforeach()
endfunction()
