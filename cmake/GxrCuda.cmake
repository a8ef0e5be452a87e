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

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  set(CMAKE_CUDA_COMPILER "${CUDAToolkit_NVCC_EXECUTABLE}")
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "CUDA architectures; a number without -real adds PTX")
endif()
if(GXR_CCACHE AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${GXR_CCACHE}")
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) # one runtime for all libraries of a process
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know that nvcc has it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)

# Newer CMake bundles sources of CUDA too, which are not made for it.
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.31)
  set(CMAKE_UNITY_BUILD OFF)
endif()

set(GXR_CUDA_FOUND TRUE)
list(JOIN CMAKE_CUDA_ARCHITECTURES " " gxr_cuda_architectures)
message(STATUS "CUDA: the CUDA parts are built with toolkit ${CUDAToolkit_VERSION} for ${gxr_cuda_architectures}")
