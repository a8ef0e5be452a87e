# Run by cpack when the files of each component lie in a folder and before packages are made of them: adds what Debian
# asks of a package, and takes out what holds on this machine only.

cmake_policy(VERSION 3.25)

# The folder of a component, or an empty name where it is not packed.
function(folder_of component variable)
  set(${variable} "" PARENT_SCOPE)
  if(component IN_LIST CPACK_COMPONENTS_ALL)
    set(${variable} "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr" PARENT_SCOPE)
  endif()
endfunction()

function(compress file)
  execute_process(COMMAND gzip -9nf "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# add_documents(PACKAGE FOLDER COMMENT): copyright and changelog.
function(add_documents package folder GXR_COPYRIGHT_COMMENT)
  set(documents "${folder}/share/doc/${package}")
  string(REGEX REPLACE " *<.*" "" GXR_MAINTAINER_NAME "${CPACK_PACKAGE_CONTACT}")
  configure_file("${CPACK_GXR_SOURCE_DIR}/cmake/package/copyright.in" "${documents}/copyright" @ONLY)
  configure_file("${CPACK_GXR_SOURCE_DIR}/cmake/package/changelog.in" "${documents}/changelog" @ONLY)
  compress("${documents}/changelog")
endfunction()

# The licences of libraries whose headers are compiled in, as their packages have them.
function(add_third_party_licenses documents)
  foreach(package IN ITEMS libcli11-dev libfmt-dev libspdlog-dev nlohmann-json3-dev)
    set(license "/usr/share/doc/${package}/copyright")
    if(NOT EXISTS "${license}")
      message(FATAL_ERROR "package: ${license} is missing: the packages must tell the licence of ${package}")
    endif()
    file(COPY_FILE "${license}" "${documents}/third-party-${package}.txt")
  endforeach()
endfunction()

folder_of(runtime runtime)
folder_of(dev dev)
folder_of(cuda cuda)
folder_of(media media)
folder_of(dds dds)
folder_of(mpi mpi)

add_documents(gxr "${runtime}" "Comment: The binaries contain code of CLI11, fmt, spdlog and nlohmann-json. The
 files third-party-*.txt beside this one have their licences.
")
add_third_party_licenses("${runtime}/share/doc/gxr")
file(REMOVE "${runtime}/share/doc/gxr/LICENSE") # Debian has this one
file(RENAME "${runtime}/share/zsh/site-functions" "${runtime}/share/zsh/vendor-completions") # as Debian calls it
file(GLOB pages "${runtime}/share/man/man1/*.1" "${dev}/share/man/man1/*.1")
foreach(page IN LISTS pages)
  compress("${page}")
endforeach()
add_documents(libgxr-dev "${dev}" "")

if(media)
  add_documents(gxr-media "${media}" "")
endif()
if(dds)
  add_documents(gxr-dds "${dds}" "")
endif()
if(mpi)
  add_documents(gxr-mpi "${mpi}" "")
  # Open MPI's flags name a folder that the loader searches anyway.
  file(GLOB libraries "${mpi}/lib/gxr/libgxr_mpi.so")
  foreach(library IN LISTS libraries)
    file(RPATH_SET FILE "${library}" NEW_RPATH "$ORIGIN:$ORIGIN/..")
  endforeach()
endif()
if(cuda)
  set(comment "")
  if(CPACK_GXR_CUDART_LICENSE)
    set(comment "Comment: The file libcudart.so.* is NVIDIA's and unchanged. Its licence, which lists
 it as distributable in Attachment A, is NVIDIA-EULA.txt.gz beside this file.
")
  endif()
  add_documents(gxr-cuda "${cuda}" "${comment}")
  if(CPACK_GXR_CUDART_LICENSE)
    set(license "${cuda}/share/doc/gxr-cuda/NVIDIA-EULA.txt")
    file(COPY_FILE "${CPACK_GXR_CUDART_LICENSE}" "${license}")
    compress("${license}")
  endif()
  # Where the toolkit lies here is nothing to the machine that the package comes to.
  file(GLOB libraries "${cuda}/lib/gxr/libgxr_*.so")
  foreach(library IN LISTS libraries)
    file(RPATH_SET FILE "${library}" NEW_RPATH "$ORIGIN:$ORIGIN/..")
  endforeach()
  file(GLOB libraries "${cuda}/lib/gxr/extensions/*.so")
  foreach(library IN LISTS libraries)
    file(RPATH_SET FILE "${library}" NEW_RPATH "$ORIGIN/..:$ORIGIN/../..")
  endforeach()
endif()
