# Decides whether the CUDA parts are built, and says so in one line. Sets GXR_CUDA_FOUND; where it is true
# the language CUDA is enabled and CUDA::cudart exists.

set(GXR_CUDA_FOUND FALSE)
if(GXR_ENABLE_CUDA STREQUAL "OFF")
  message(STATUS "CUDA: the CUDA parts are left out (GXR_ENABLE_CUDA is OFF)")
  return()
endif()
if(GXR_SANITIZE)
  # The sanitizers know nothing of device code; compute-sanitizer looks at the release build.
  message(STATUS "CUDA: the CUDA parts are left out of builds with sanitizers")
  return()
endif()

find_package(CUDAToolkit 13.0 QUIET)
if(NOT CUDAToolkit_FOUND)
  if(GXR_ENABLE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GXR_ENABLE_CUDA is ON, but no CUDA toolkit 13.0 or newer was found")
  endif()
  message(STATUS "CUDA: toolkit 13.0 or newer not found; the CUDA parts are left out")
  return()
endif()

if(GXR_CCACHE AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${GXR_CCACHE}")
endif()
include(GxrEnableCuda)
gxr_enable_cuda()

# Newer CMake bundles sources of CUDA too, which are not made for it.
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.31)
  set(CMAKE_UNITY_BUILD OFF)
endif()

# gxr_bundle_cuda(VARIABLE file...): sets the variable to one source that includes the files, whose helpers have different
# names. nvcc reads all headers three times for each source, which takes longer than the own code of most tests.
function(gxr_bundle_cuda variable)
  set(names "")
  set(text "")
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM name)
    list(APPEND names "${name}")
    string(APPEND text "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${file}\"\n")
  endforeach()
  list(JOIN names "_" bundle)
  set(bundle "${CMAKE_CURRENT_BINARY_DIR}/${bundle}.cu")
  file(CONFIGURE OUTPUT "${bundle}" CONTENT "@text@" @ONLY)
  set(${variable} "${bundle}" PARENT_SCOPE)
endfunction()

set(GXR_CUDA_FOUND TRUE)
list(JOIN CMAKE_CUDA_ARCHITECTURES " " gxr_cuda_architectures)
message(STATUS "CUDA: the CUDA parts are built with toolkit ${CUDAToolkit_VERSION} for ${gxr_cuda_architectures}")
