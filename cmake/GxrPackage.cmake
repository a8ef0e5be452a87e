# `cpack` in the build folder makes .deb files of the components of cmake/GxrInstall.cmake: gxr, libgxr-dev and, in builds
# with CUDA, gxr-cuda; in builds with GStreamer, gxr-media; with MPI, gxr-mpi; with Cyclone DDS, gxr-dds. cmake/package/prepare.cmake adds what only packages have.

if(GXR_SANITIZE OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

set(GXR_PACKAGE_MAINTAINER "Seed 30ad3507 maintainers <maintainers@users.noreply.a-seed-30ad3507.example>"
    CACHE STRING "Who answers for the packages: NAME <ADDRESS>")

# NVIDIA's licence lets programs bring CUDA's runtime library, unchanged and for themselves alone, with the licence. It is
# shipped where the toolkit has the text and the text still lists the library.
set(GXR_CUDART_LICENSE "")
if(GXR_CUDA_FOUND)
  get_target_property(cudart CUDA::cudart IMPORTED_LOCATION)
  file(REAL_PATH "${cudart}" cudart)
  file(
    GLOB licenses
    "${CUDAToolkit_TARGET_DIR}/EULA.txt"
    "${CUDAToolkit_BIN_DIR}/../EULA.txt"
    "${CUDAToolkit_BIN_DIR}/../doc/EULA.txt"
    "${CUDAToolkit_BIN_DIR}/../dist-info/nvidia_cuda_runtime-*/licenses/License.txt")
  foreach(license IN LISTS licenses)
    file(READ "${license}" text)
    if(text MATCHES "Attachment A.*CUDA Runtime.*Linux[ \n]+libcudart\\.so")
      set(GXR_CUDART_LICENSE "${license}")
    endif()
  endforeach()
  if(GXR_CUDART_LICENSE)
    set(cudart_text "CUDA's runtime library is inside, under NVIDIA's own licence.")
    install(
      FILES "${cudart}"
      DESTINATION lib/gxr
      COMPONENT cuda
      RENAME libcudart.so.${CUDAToolkit_VERSION_MAJOR}
      EXCLUDE_FROM_ALL)
  else()
    set(cudart_text "CUDA's runtime library libcudart.so.${CUDAToolkit_VERSION_MAJOR} is missing here: install NVIDIA's package of it.")
  endif()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gxr)
set(CPACK_PACKAGE_VENDOR gxr)
set(CPACK_PACKAGE_CONTACT "${GXR_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/package/prepare.cmake")

set(CPACK_COMPONENTS_ALL runtime dev)
if(GXR_CUDA_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL cuda)
endif()
if(GXR_GSTREAMER_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL media)
endif()
if(GXR_CYCLONEDDS_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL dds)
endif()
if(GXR_MPI_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Libraries that a package of gxr itself has.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")

set(same_version "(= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME gxr)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
# CPack would list private libraries, too.
set(control "${PROJECT_BINARY_DIR}/package_control")
set(so_version "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
file(CONFIGURE OUTPUT "${control}/shlibs" CONTENT
     "libgxr ${so_version} gxr ${same_version}\nlibgxr_gxf ${so_version} gxr ${same_version}\n")
file(CONFIGURE OUTPUT "${control}/triggers" CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${control}/shlibs" "${control}/triggers")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libgvc6 | graphviz")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libgxr-dev ${same_version}")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "runner of graph applications written in YAML
gxr runs applications of sensors, cameras, signal processing and AI. A YAML
file describes operators and connections; gxr checks the whole file and runs
it. Extension libraries bring the operators.
.
This package has the commands, the library, the extensions and examples.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libgxr-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "gxr ${same_version}, python3:any")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "binutils, cmake, g++")
set(CPACK_COMPONENT_DEV_DESCRIPTION "headers and build support of gxr
gxr runs graph applications written in YAML.
.
This package has what builds extensions and programs that embed gxr: headers,
a CMake package, a pkg-config file and the runner of transcript tests.")

if(GXR_GSTREAMER_FOUND)
  set(CPACK_DEBIAN_MEDIA_PACKAGE_NAME gxr-media)
  set(CPACK_DEBIAN_MEDIA_PACKAGE_SECTION video)
  set(CPACK_DEBIAN_MEDIA_PACKAGE_DEPENDS "gxr ${same_version}, gstreamer1.0-plugins-base, gstreamer1.0-plugins-good")
  set(CPACK_DEBIAN_MEDIA_PACKAGE_RECOMMENDS "gstreamer1.0-libav, gstreamer1.0-plugins-ugly")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "gxr-media ${same_version}, ${CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS}")
  set(CPACK_COMPONENT_MEDIA_DESCRIPTION "cameras, video files and streams for applications of gxr
gxr runs graph applications written in YAML.
.
This package has what reads and writes video by GStreamer.")
endif()

if(GXR_CYCLONEDDS_FOUND)
  set(CPACK_DEBIAN_DDS_PACKAGE_NAME gxr-dds)
  set(CPACK_DEBIAN_DDS_PACKAGE_SECTION net)
  set(CPACK_DEBIAN_DDS_PACKAGE_DEPENDS "gxr ${same_version}")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "gxr-dds ${same_version}, ${CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS}")
  set(CPACK_COMPONENT_DDS_DESCRIPTION "topics between applications of gxr, and with ROS 2
gxr runs graph applications written in YAML.
.
This package has what publishes and subscribes by Cyclone DDS.")
endif()
if(GXR_MPI_FOUND)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME gxr-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "gxr ${same_version}, mpi-default-bin")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "gxr-mpi ${same_version}, ${CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS}")
  set(CPACK_COMPONENT_MPI_DESCRIPTION "applications of gxr on several machines
gxr runs graph applications written in YAML.
.
This package has what joins the processes of one application by MPI.")
endif()

if(GXR_CUDA_FOUND)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CUDAToolkit_LIBRARY_DIR}")
  set(CPACK_DEBIAN_CUDA_PACKAGE_NAME gxr-cuda)
  set(CPACK_DEBIAN_CUDA_PACKAGE_SECTION contrib/science)
  if(GXR_CUDART_LICENSE)
    set(CPACK_DEBIAN_CUDA_PACKAGE_SECTION non-free/science)
  endif()
  set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "gxr ${same_version}")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "gxr-cuda ${same_version}, ${CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS}")
  set(CPACK_COMPONENT_CUDA_DESCRIPTION "runs applications of gxr on NVIDIA's GPUs
gxr runs graph applications written in YAML.
.
This package has what runs operators on a GPU, also as CUDA graphs. It needs
NVIDIA's driver for CUDA ${CUDAToolkit_VERSION_MAJOR}.
.
${cudart_text}")
endif()

# For prepare.cmake.
set(CPACK_GXR_SOURCE_DIR "${PROJECT_SOURCE_DIR}")
set(CPACK_GXR_CUDART_LICENSE "${GXR_CUDART_LICENSE}")

include(CPack)
