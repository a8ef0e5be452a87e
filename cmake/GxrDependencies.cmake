# Finds what gxr is built from. All of it comes from the system's packages; every missing package is
# named, together with one command that installs them all.

set(gxr_missing "")
set(gxr_missing_packages "")

# gxr_expect(WHAT DEBIAN_PACKAGE FOUND): notes a package as missing unless FOUND is true.
macro(gxr_expect what debian_package found)
  if(NOT ${found})
    string(APPEND gxr_missing "\n  ${what}: install ${debian_package}")
    list(APPEND gxr_missing_packages ${debian_package})
  endif()
endmacro()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

find_package(yaml-cpp QUIET)
gxr_expect(yaml-cpp libyaml-cpp-dev yaml-cpp_FOUND)
find_package(CLI11 QUIET)
gxr_expect(CLI11 libcli11-dev CLI11_FOUND)
find_package(fmt QUIET)
gxr_expect(fmt libfmt-dev fmt_FOUND)
find_package(spdlog QUIET)
gxr_expect(spdlog libspdlog-dev spdlog_FOUND)
find_package(PNG QUIET)
gxr_expect(libpng libpng-dev PNG_FOUND)
find_package(JPEG QUIET)
gxr_expect(libjpeg-turbo libjpeg-dev JPEG_FOUND)
find_package(TIFF 4.5 QUIET)
gxr_expect("libtiff 4.5 or newer" libtiff-dev TIFF_FOUND)
find_package(nlohmann_json QUIET)
gxr_expect(nlohmann-json nlohmann-json3-dev nlohmann_json_FOUND)

# The system's own interpreter first: only that one sees the modules of the system's packages.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
gxr_expect("Python 3" python3 Python3_FOUND)

if(GXR_BUILD_TESTS)
  find_package(Catch2 QUIET)
  gxr_expect(Catch2 catch2 Catch2_FOUND)
endif()

if(GXR_BUILD_BENCH)
  find_package(benchmark QUIET)
  gxr_expect("Google Benchmark" libbenchmark-dev benchmark_FOUND)
  find_package(TBB QUIET)
  if(NOT TBB_FOUND)
    message(STATUS "oneTBB (libtbb-dev) not found: the benchmarks leave the comparison with it out")
  endif()
endif()

if(gxr_missing)
  list(REMOVE_DUPLICATES gxr_missing_packages)
  list(JOIN gxr_missing_packages " " gxr_missing_packages)
  message(
    FATAL_ERROR
      "gxr needs packages that are not installed:${gxr_missing}\n"
      "On Debian and Ubuntu:\n  sudo apt-get install ${gxr_missing_packages}\n"
      "or run 'make setup', which does it.")
endif()

# Boost.Beast, headers alone, for the page of an application that runs.
find_package(Boost 1.74 QUIET)
set(GXR_BEAST_FOUND OFF)
if(Boost_FOUND AND EXISTS "${Boost_INCLUDE_DIRS}/boost/beast/http.hpp")
  set(GXR_BEAST_FOUND ON)
else()
  message(STATUS "Boost.Beast (libboost-dev) not found: gxr is built without --monitor; 'cmake/setup.sh web' installs it")
endif()

# GStreamer, for cameras, files and streams.
find_package(PkgConfig QUIET)
set(GXR_GSTREAMER_FOUND OFF)
set(GXR_RTSP_SERVER_FOUND OFF)
if(PkgConfig_FOUND)
  pkg_check_modules(GSTREAMER QUIET gstreamer-1.0>=1.20 gstreamer-app-1.0 gstreamer-video-1.0)
  if(GSTREAMER_FOUND)
    set(GXR_GSTREAMER_FOUND ON)
    pkg_check_modules(GSTREAMER_RTSP QUIET gstreamer-rtsp-server-1.0>=1.20)
    set(GXR_RTSP_SERVER_FOUND ${GSTREAMER_RTSP_FOUND})
  endif()
endif()
if(NOT GXR_GSTREAMER_FOUND)
  message(STATUS "GStreamer 1.20 or newer not found: the extension media is built without it; 'cmake/setup.sh media' installs it")
elseif(NOT GXR_RTSP_SERVER_FOUND)
  message(STATUS "gst-rtsp-server (libgstrtspserver-1.0-dev) not found: media::Sink cannot serve RTSP; 'cmake/setup.sh media' installs it")
endif()

# Cyclone DDS, for topics. Types of samples are made by its inner interface, which is that of 0.10.
find_package(CycloneDDS 0.10 QUIET)
set(GXR_CYCLONEDDS_FOUND OFF)
set(GXR_ICEORYX_FOUND OFF)
if(CycloneDDS_FOUND AND CycloneDDS_VERSION VERSION_LESS 0.11)
  set(GXR_CYCLONEDDS_FOUND ON)
  add_library(gxr_cyclonedds INTERFACE)
  get_target_property(location CycloneDDS::ddsc LOCATION)
  get_target_property(definitions CycloneDDS::ddsc INTERFACE_COMPILE_DEFINITIONS)
  # Not the target itself: it would compile its headers as sources, and its flags would keep the shared public headers away.
  target_link_libraries(gxr_cyclonedds INTERFACE "${location}")
  if(definitions)
    target_compile_definitions(gxr_cyclonedds INTERFACE ${definitions})
  endif()
  # Structures of the library have further members then, which its packages do not say in a header.
  get_target_property(shared_memory CycloneDDS::ddsc SHM_SUPPORT_IS_AVAILABLE)
  if(shared_memory)
    target_compile_definitions(gxr_cyclonedds INTERFACE DDS_HAS_SHM)
    find_package(iceoryx_hoofs QUIET)
    find_package(iceoryx_binding_c QUIET)
  endif()
  if(iceoryx_hoofs_FOUND AND iceoryx_binding_c_FOUND)
    set(GXR_ICEORYX_FOUND ON)
    get_target_property(location iceoryx_hoofs::iceoryx_hoofs LOCATION)
    add_library(gxr_iceoryx INTERFACE)
    target_link_libraries(gxr_iceoryx INTERFACE "${location}")
    target_include_directories(
      gxr_iceoryx SYSTEM INTERFACE $<TARGET_PROPERTY:iceoryx_binding_c::iceoryx_binding_c,INTERFACE_INCLUDE_DIRECTORIES>
                                   $<TARGET_PROPERTY:iceoryx_hoofs::iceoryx_hoofs,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(gxr_iceoryx INTERFACE GXR_HAS_ICEORYX)
  endif()
else()
  message(STATUS "Cyclone DDS 0.10 (cyclonedds-dev) not found: the extension dds is built without it; 'cmake/setup.sh net' installs it")
endif()

# MPI, for applications that are spread over several machines.
find_package(MPI QUIET COMPONENTS C)
set(GXR_MPI_FOUND ${MPI_C_FOUND})
if(NOT GXR_MPI_FOUND)
  message(STATUS "MPI (libopenmpi-dev) not found: gxr is built without 'gxr mpirun'; 'cmake/setup.sh mpi' installs it")
endif()

# spdlog and fmt without their libraries, for libgxr.so: what that is linked with gets into the scope of extensions.
add_library(gxr_spdlog INTERFACE)
add_library(gxr::spdlog ALIAS gxr_spdlog)
target_link_libraries(gxr_spdlog INTERFACE fmt::fmt-header-only Threads::Threads)
target_include_directories(
  gxr_spdlog SYSTEM INTERFACE $<TARGET_PROPERTY:spdlog::spdlog_header_only,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(
  gxr_spdlog INTERFACE $<TARGET_PROPERTY:spdlog::spdlog_header_only,INTERFACE_COMPILE_DEFINITIONS>)

# yaml-cpp calls its target yaml-cpp up to 0.7 and yaml-cpp::yaml-cpp from 0.8 on.
add_library(gxr_yaml_cpp INTERFACE)
add_library(gxr::yaml-cpp ALIAS gxr_yaml_cpp)
if(TARGET yaml-cpp::yaml-cpp)
  target_link_libraries(gxr_yaml_cpp INTERFACE yaml-cpp::yaml-cpp)
else()
  target_link_libraries(gxr_yaml_cpp INTERFACE yaml-cpp)
  target_include_directories(gxr_yaml_cpp SYSTEM INTERFACE ${YAML_CPP_INCLUDE_DIR})
endif()
