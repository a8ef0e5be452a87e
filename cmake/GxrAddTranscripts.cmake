# What this build has that transcripts may require, for the runner's command line.
set(have "")
foreach(word IN LISTS GXR_TRANSCRIPTS_HAVE)
  list(APPEND have --have ${word})
endforeach()

# gxr_add_transcripts(KIND): a test KIND/NAME for each NAME.test below the current folder.
function(gxr_add_transcripts kind)
  file(GLOB_RECURSE transcripts CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.test)
  foreach(transcript IN LISTS transcripts)
    cmake_path(REMOVE_EXTENSION transcript OUTPUT_VARIABLE name)
    add_test(NAME ${kind}/${name}
             COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/transcripts/run.py"
                     "${CMAKE_CURRENT_SOURCE_DIR}/${transcript}" --gxr "$<TARGET_FILE:gxr_cli>"
                     --source-dir "${PROJECT_SOURCE_DIR}" --extensions "${GXR_TEST_EXTENSION_DIR}" ${have})
    gxr_labels_of_transcript(labels "${CMAKE_CURRENT_SOURCE_DIR}/${transcript}")
    set_tests_properties(${kind}/${name} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT 600)
  endforeach()
endfunction()
