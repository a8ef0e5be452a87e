# Adds the section .gxr.types to a library that has the factory of a GXF extension; leaves others alone.
#   cmake -DLIBRARY=file -DDECLARE=gxr-declare -DOBJCOPY=objcopy -DNM=nm -P AddTypes.cmake

execute_process(COMMAND "${NM}" -D --defined-only "${LIBRARY}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES " GxfExtensionFactory\n" OR NOT symbols MATCHES " gxr_extension\n")
  return()
endif()
execute_process(COMMAND "${DECLARE}" "${LIBRARY}" "${LIBRARY}.types.json" COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND "${OBJCOPY}" --remove-section .gxr.types --add-section ".gxr.types=${LIBRARY}.types.json"
          --set-section-flags .gxr.types=noload,readonly "${LIBRARY}" COMMAND_ERROR_IS_FATAL ANY)
