# find_package(GXF) for projects of GXF extensions: gxr's layer in the place of GXF. The targets GXF::core, GXF::std and
# so on are all the same library, and UseGXF has the functions of GXF's module of that name. Give CMAKE_PREFIX_PATH both
# prefixes: gxr's, and lib/gxr/gxf in it.

include(CMakeFindDependencyMacro)
# This file is in PREFIX/lib/gxr/gxf/lib/cmake/GXF.
get_filename_component(gxr_prefix "${CMAKE_CURRENT_LIST_DIR}/../../../../../.." ABSOLUTE)
find_dependency(gxr CONFIG HINTS "${gxr_prefix}")
get_filename_component(GXF_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(GXF_INCLUDE_DIR "${GXF_ROOT}/include")
set(GXF_INCLUDE_DIRS "${GXF_INCLUDE_DIR}")
set(GXF_LIBRARY_DIR "${GXF_ROOT}/lib") # of libgxf_core.so
set(GXF_common_INCLUDE_DIR "${GXF_INCLUDE_DIR}")

# What sources use without asking for it.
find_package(CUDAToolkit QUIET)

set(gxr_gxf_components
    core
    std
    common
    cuda
    multimedia
    serialization
    logger
    rmm
    sample
    npp
    behavior_tree)
foreach(component IN LISTS gxr_gxf_components)
  if(NOT TARGET GXF::${component})
    add_library(GXF::${component} INTERFACE IMPORTED)
    set_target_properties(GXF::${component} PROPERTIES INTERFACE_LINK_LIBRARIES gxr_gxf_extension)
    if(CUDAToolkit_FOUND)
      set_property(
        TARGET GXF::${component}
        APPEND
        PROPERTY INTERFACE_LINK_LIBRARIES CUDA::cudart)
    endif()
  endif()
  set(GXF_${component}_FOUND TRUE)
  set(GXF_${component}_LIBRARY GXF::${component})
  set(GXF_${component}_INCLUDE_DIR "${GXF_INCLUDE_DIR}")
  set(GXF_${component}_INCLUDE_DIRS "${GXF_INCLUDE_DIR}")
endforeach()
foreach(component IN LISTS GXF_FIND_COMPONENTS)
  if(NOT GXF_${component}_FOUND)
    set(GXF_${component}_FOUND FALSE)
    if(GXF_FIND_REQUIRED_${component})
      set(GXF_FOUND FALSE)
      set(GXF_NOT_FOUND_MESSAGE "gxr has no '${component}' of GXF; see docs/compatibility.md")
    endif()
  endif()
endforeach()

# Libraries that are linked with these targets get their list of types behind the link, whatever function makes them.
if(NOT CMAKE_OBJCOPY OR NOT CMAKE_NM)
  message(FATAL_ERROR "GXF: objcopy or nm not found: install binutils")
endif()
get_target_property(gxr_declare gxr::declare LOCATION)
set(gxr_gxf_types
    "\"${CMAKE_COMMAND}\" -DLIBRARY=<TARGET> \"-DDECLARE=${gxr_declare}\" \"-DOBJCOPY=${CMAKE_OBJCOPY}\" \"-DNM=${CMAKE_NM}\" -P \"${CMAKE_CURRENT_LIST_DIR}/AddTypes.cmake\""
)
foreach(kind IN ITEMS LIBRARY MODULE)
  foreach(language IN ITEMS CXX CUDA)
    if(CMAKE_${language}_CREATE_SHARED_${kind} AND NOT CMAKE_${language}_CREATE_SHARED_${kind} MATCHES AddTypes)
      list(APPEND CMAKE_${language}_CREATE_SHARED_${kind} "${gxr_gxf_types}")
    endif()
  endforeach()
endforeach()

list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/UseGXF.cmake")
