# What this build has that transcripts may require, for the runner's command line.
set(have "")
foreach(word IN LISTS GXR_TRANSCRIPTS_HAVE)
  list(APPEND have --have ${word})
endforeach()

# Of these, whatever runs no application has a single thread, of which ThreadSanitizer can tell nothing.
set(gxr_single_thread "^(describe|diagnostics|document|expand|explain|graph|list|lsp|new|plan|schema|validate|version)/")

# gxr_add_transcripts(KIND): a test KIND/NAME for each NAME.test below the current folder.
function(gxr_add_transcripts kind)
  file(GLOB_RECURSE transcripts CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.test)
  foreach(transcript IN LISTS transcripts)
    if("thread" IN_LIST GXR_SANITIZE AND transcript MATCHES "${gxr_single_thread}")
      file(READ "${CMAKE_CURRENT_SOURCE_DIR}/${transcript}" text)
      if(NOT text MATCHES "gxr run|gxe ")
        continue()
      endif()
    endif()
    cmake_path(REMOVE_EXTENSION transcript OUTPUT_VARIABLE name)
    add_test(NAME ${kind}/${name}
             COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/transcripts/run.py"
                     "${CMAKE_CURRENT_SOURCE_DIR}/${transcript}" --gxr "$<TARGET_FILE:gxr_cli>"
                     --source-dir "${PROJECT_SOURCE_DIR}" --extensions "${GXR_TEST_EXTENSION_DIR}" ${have})
    gxr_labels_of_transcript(labels "${CMAKE_CURRENT_SOURCE_DIR}/${transcript}")
    set_tests_properties(${kind}/${name} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT 600)
  endforeach()
endfunction()
