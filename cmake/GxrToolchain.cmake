# Language level, build type, warnings, sanitizers, compiler cache and output places for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

find_program(GXR_CCACHE ccache)
mark_as_advanced(GXR_CCACHE)
set(gxr_launcher)
if(GXR_CCACHE)
  # Without this ccache keeps nothing that uses a precompiled header.
  set(gxr_launcher env CCACHE_SLOPPINESS=pch_defines,time_macros "${GXR_CCACHE}")
  foreach(language IN ITEMS C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${gxr_launcher})
    endif()
  endforeach()
endif()

# For a target that precompiles headers of this repository. By default ccache compares preprocessed text, so it may
# return a precompiled header from before a change of a comment or a macro. GCC then does not see that the changed
# header is the one in it, and reads the header twice. With CCACHE_DEPEND ccache compares the files.
function(gxr_compare_header_files target)
  if(gxr_launcher AND CMAKE_CXX_COMPILER_LAUNCHER STREQUAL gxr_launcher)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "env;CCACHE_DEPEND=1;${gxr_launcher}")
  endif()
endfunction()

# GCC frees what it no longer needs each time that its memory has grown by a part, which is a tenth of its time with 128 MiB
# to begin with. Later takes up to 1.7 GB for a bundle of sources in the place of 1.3.
cmake_host_system_information(RESULT gxr_memory QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT gxr_processors QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR gxr_memory "${gxr_memory} / ${gxr_processors}") # MiB
if(gxr_memory GREATER_EQUAL 3000)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>)
endif()

# Own code links this privately; an extension built outside this repository is not held to it. nvcc does not
# understand all of it.
add_library(gxr_warnings INTERFACE)
function(gxr_warn)
  foreach(option IN LISTS ARGN)
    target_compile_options(gxr_warnings INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:${option}>)
  endforeach()
endfunction()
gxr_warn(-Wall -Wextra -Wconversion -Wshadow)
if(GXR_WARNINGS_AS_ERRORS)
  gxr_warn(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 and 13 see these in the inlined code of std::string and std::vector, where they are not. The
  # sanitizer builds look for the real ones.
  gxr_warn(-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # Takes any function from reference to reference for one that returns a temporary.
  gxr_warn(-Wno-dangling-reference)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees an overlapping copy in "text" + std::string (GCC bug 105651).
  gxr_warn(-Wno-restrict)
endif()

if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Meant for headers: whose types have members of types that each file would see anew. In a unity build GCC takes the
  # sources for such.
  gxr_warn(-Wno-subobject-linkage)
endif()

if(GXR_CHAOS)
  add_compile_definitions(GXR_CHAOS=1) # see runner/observe/chaos.hpp
endif()

if(GXR_SANITIZE)
  string(REPLACE ";" "," sanitizers "${GXR_SANITIZE}")
  foreach(option IN ITEMS -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:${option}>)
  endforeach()
  add_link_options(-fsanitize=${sanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # These check each access to memory and nearly double the time that GCC takes. AddressSanitizer finds null pointers
    # and accesses outside of objects; the build for libFuzzer, with Clang, keeps all checks.
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize=null,alignment,object-size,vptr>)
    # Seen through the instrumentation, too many variables look uninitialised.
    gxr_warn(-Wno-maybe-uninitialized)
    if("thread" IN_LIST GXR_SANITIZE)
      # std::atomic_thread_fence is not instrumented; the warning cannot tell where it matters.
      gxr_warn(-Wno-error=tsan)
    endif()
  endif()
endif()
