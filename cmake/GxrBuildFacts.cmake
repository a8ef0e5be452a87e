# gxr_add_build_facts(TARGET): build_facts.hpp for a target, with what `gxr --version` tells of the build: the commit,
# the build type, sanitizers, CUDA and MPI. The commit is that of the last configuration, which each commit asks for.
function(_gxr_ask_git variable)
  execute_process(
    COMMAND "${GIT_EXECUTABLE}" ${ARGN}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    OUTPUT_VARIABLE answer
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${variable} "${answer}" PARENT_SCOPE)
endfunction()

function(gxr_add_build_facts target)
  set(gxr_commit "")
  find_package(Git QUIET)
  if(GIT_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
    _gxr_ask_git(gxr_commit rev-parse --short=12 HEAD)
    _gxr_ask_git(log rev-parse --git-path logs/HEAD)
    cmake_path(ABSOLUTE_PATH log BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(EXISTS "${log}" AND NOT IS_DIRECTORY "${log}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${log}")
    endif()
  endif()
  set(gxr_cuda "")
  if(GXR_CUDA_FOUND)
    set(gxr_cuda "${CUDAToolkit_VERSION}")
  endif()
  set(gxr_has_mpi false)
  if(GXR_MPI_FOUND)
    set(gxr_has_mpi true)
  endif()
  string(REPLACE ";" ", " gxr_sanitizers "${GXR_SANITIZE}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/build_facts")
  file(CONFIGURE OUTPUT "${folder}/build_facts.hpp" @ONLY CONTENT [[#pragma once

// Written by cmake/GxrBuildFacts.cmake.

#include <string_view>

inline constexpr std::string_view kBuildCommit = "@gxr_commit@";
inline constexpr std::string_view kBuildType = "@CMAKE_BUILD_TYPE@";
inline constexpr std::string_view kBuildSanitizers = "@gxr_sanitizers@";
inline constexpr std::string_view kBuildCuda = "@gxr_cuda@";
inline constexpr bool kBuildHasMpi = @gxr_has_mpi@;
]])
  target_include_directories(${target} PRIVATE "${folder}")
endfunction()
