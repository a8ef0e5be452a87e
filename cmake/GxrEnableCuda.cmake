# gxr_enable_cuda(): for a project with CUDA sources. Enables the language CUDA (C++20, architectures 80 and 90 unless
# CMAKE_CUDA_ARCHITECTURES or CUDAARCHS says otherwise) and makes the target CUDA::cudart. Needs CUDA 13.0 or newer. CUDA's
# runtime library is linked as a shared library: all libraries of a process have one.
#
# A macro: CMake enables languages in the scope of a file only.

macro(gxr_enable_cuda)
  find_package(CUDAToolkit 13.0 REQUIRED)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    set(CMAKE_CUDA_COMPILER "${CUDAToolkit_NVCC_EXECUTABLE}")
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "CUDA architectures; a number without -real adds PTX")
  endif()
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know that nvcc has it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
endmacro()
