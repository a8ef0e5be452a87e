# The interface is that of GXF 4.1; sources for 2.4 and later compile, too.
set(PACKAGE_VERSION 4.1.0)
if(PACKAGE_FIND_VERSION_MAJOR GREATER 4 OR (PACKAGE_FIND_VERSION_MAJOR EQUAL 4 AND PACKAGE_FIND_VERSION_MINOR GREATER
                                                                                  1))
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
