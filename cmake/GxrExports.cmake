# gxr_export_only(TARGET PATTERN...): of all symbols of a shared library, others see those that match a pattern, as
# the linker knows them (mangled, with * and ?). Hidden are also the templates of the C++ library, which no visibility
# flag hides, and what comes from static libraries, however those were compiled.

include_guard(GLOBAL)

function(gxr_export_only target)
  list(JOIN ARGN "; " patterns)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}.exports")
  file(CONFIGURE OUTPUT "${script}" CONTENT "{ global: @patterns@; local: *; };\n" @ONLY)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
  set_property(
    TARGET ${target}
    APPEND
    PROPERTY LINK_DEPENDS "${script}")
endfunction()
