# Decides whether the CUDA parts are built, and says so in one line. Sets GXR_CUDA_FOUND.

set(GXR_CUDA_FOUND FALSE)
if(GXR_ENABLE_CUDA STREQUAL "OFF")
  message(STATUS "CUDA: the CUDA parts are left out (GXR_ENABLE_CUDA is OFF)")
  return()
endif()

find_package(CUDAToolkit 13.0 QUIET)
if(CUDAToolkit_FOUND)
  set(GXR_CUDA_FOUND TRUE)
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION} found; no CUDA parts in this version")
elseif(GXR_ENABLE_CUDA STREQUAL "ON")
  message(FATAL_ERROR "GXR_ENABLE_CUDA is ON, but no CUDA toolkit 13.0 or newer was found")
else()
  message(STATUS "CUDA: toolkit 13.0 or newer not found; the CUDA parts are left out")
endif()
