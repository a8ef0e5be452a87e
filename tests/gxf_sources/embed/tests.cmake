# Tests ${prefix}/NAME of the program gxf_embed, which loads gxf_embed_ext, and of embed.py, which opens ${core_library}.

set(scenarios
    life
    again
    order
    nothing
    queries
    parameters
    mistakes
    manifest
    files
    information
    threads
    waiting
    questions
    waiters
    destruction
    codelets
    late_values
    nameless
    manifests
    codes
    warnings
    states
    numbers)
foreach(scenario IN LISTS scenarios)
  add_test(NAME ${prefix}/${scenario} COMMAND gxf_embed "$<TARGET_FILE:gxf_embed_ext>" "${CMAKE_CURRENT_LIST_DIR}"
                                              ${scenario})
  set_tests_properties(${prefix}/${scenario} PROPERTIES TIMEOUT 60)
endforeach()
if(GXR_SANITIZE) # Python has no sanitizer
  return()
endif()
add_test(NAME ${prefix}/python
         COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/embed.py" "${core_library}"
                 "$<TARGET_FILE:gxf_embed_ext>" "${CMAKE_CURRENT_LIST_DIR}")
set_tests_properties(${prefix}/python PROPERTIES TIMEOUT 60)
