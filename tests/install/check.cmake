# Installs a build, moves the installation, builds an extension against it in another folder, and runs an
# application with it. Called with -DBUILD=, -DSOURCE=, -DWORK=, -DGENERATOR=, -DCXX=, -DSANITIZE=, -DCUDA=, -DMPI=.

set(first "${WORK}/first")
set(prefix "${WORK}/prefix")
set(build "${WORK}/build")

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what}: status ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect what text)
  string(FIND "${output}" "${text}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "${what}: '${text}' is not in\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${first}")
file(RENAME "${first}" "${prefix}") # nothing may depend on where it was installed

foreach(path IN ITEMS bin/gxr bin/gxe bin/gxr-declare lib/libgxr.so lib/gxr/libgxr_cli.so lib/gxr/libgxr_yaml.so lib/gxr/extensions
                      lib/gxr/extensions/packets.so include/gxr/gxr.hpp include/gxr/cuda/ring.hpp lib/cmake/gxr/gxrConfig.cmake lib/pkgconfig/gxr.pc
                      share/gxr/apps share/doc/gxr/docs/command-line.md share/doc/gxr/docs/transcripts.md)
  if(NOT EXISTS "${prefix}/${path}")
    message(FATAL_ERROR "the installation lacks ${path}")
  endif()
endforeach()

run("installed types" "${prefix}/bin/gxr" list types)
expect("installed types" "GreedyScheduler")

# Started through a link, as from a folder of PATH.
file(CREATE_LINK "${prefix}/bin/gxr" "${WORK}/linked" SYMBOLIC)
run("through a link" "${WORK}/linked" list types)
expect("through a link" "GreedyScheduler")

# Several processes, which MPI joins if this build has it.
run("two ranks" "${prefix}/bin/gxr" run "${SOURCE}/ranks/app.yaml" --ranks 2)
expect("two ranks" "2 entities, 6 ticks")
if(MPI)
  run("transports" "${prefix}/bin/gxr" list transports)
  expect("transports" "Open MPI")
  execute_process(
    COMMAND mpirun -n 2 --oversubscribe --allow-run-as-root true RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(status EQUAL 0)
    run("two ranks under MPI" "${CMAKE_COMMAND}" -E env ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=ignore_noninstrumented_modules=1
        "${prefix}/bin/gxr" mpirun -n 2 "${SOURCE}/ranks/app.yaml")
    expect("two ranks under MPI" "2 entities, 6 ticks")
  else()
    message(STATUS "skipped: mpirun does not start processes here: ${output}")
  endif()
endif()

# A library that is missing is named, with exit code 2.
foreach(library IN ITEMS libgxr_cli.so libgxr_yaml.so)
  file(RENAME "${prefix}/lib/gxr/${library}" "${prefix}/lib/gxr/away")
  execute_process(
    COMMAND "${prefix}/bin/gxr" validate "${SOURCE}/embed/app.yaml" RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  file(RENAME "${prefix}/lib/gxr/away" "${prefix}/lib/gxr/${library}")
  expect("without ${library}" "error: ${library}")
  expect("without ${library}" "install gxr again")
  if(NOT status EQUAL 2)
    message(FATAL_ERROR "without ${library}: status ${status}\n${output}")
  endif()
endforeach()

set(flags "")
if(SANITIZE)
  string(REPLACE ";" "," SANITIZE "${SANITIZE}")
  set(flags "-DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE}")
endif()
run("configure the extension" "${CMAKE_COMMAND}" -S "${SOURCE}/extension" -B "${build}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" ${flags})
run("build the extension" "${CMAKE_COMMAND}" --build "${build}")

set(extension "${build}/extensions/greeter.so")
run("describe the extension" "${prefix}/bin/gxr" describe "${extension}")
expect("describe the extension" "greeter::Greeter")
expect("describe the extension" "1.2.3")

run("run the application" "${prefix}/bin/gxr" run -x "${extension}" "${SOURCE}/extension/app.yaml")
expect("run the application" "greetings to the installed runner\ngreetings to the installed runner\n")

# The test of an operator with <gxr/testing.hpp> passes.
run("test an operator" "${CMAKE_CTEST_COMMAND}" --test-dir "${build}" --output-on-failure)
expect("test an operator" "100% tests passed")

# What `gxr new` makes builds against the installation, and its tests pass.
set(new_folders extension app)
if(CUDA)
  list(APPEND new_folders operator)
endif()
foreach(what IN LISTS new_folders)
  set(made "${WORK}/made/${what}_made")
  set(gpu "")
  if(what STREQUAL "operator")
    set(gpu --gpu)
  endif()
  run("new ${what}" "${prefix}/bin/gxr" new ${what} "${made}" ${gpu})
  run("configure the new ${what}" "${CMAKE_COMMAND}" -S "${made}" -B "${build}-${what}" -G "${GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" ${flags})
  run("build the new ${what}" "${CMAKE_COMMAND}" --build "${build}-${what}")
  run("test the new ${what}" "${CMAKE_CTEST_COMMAND}" --test-dir "${build}-${what}" --output-on-failure)
  expect("test the new ${what}" "100% tests passed")
endforeach()

# The steps of docs/extension-authors.md.
set(made "${WORK}/made/limiter")
run("new limiter" "${prefix}/bin/gxr" new extension "${made}")
file(COPY "${SOURCE}/tutorial/" DESTINATION "${made}")
run("configure the tutorial" "${CMAKE_COMMAND}" -S "${made}" -B "${build}-tutorial" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" ${flags})
run("build the tutorial" "${CMAKE_COMMAND}" --build "${build}-tutorial")
run("test the tutorial" "${CMAKE_CTEST_COMMAND}" --test-dir "${build}-tutorial" --output-on-failure)
expect("test the tutorial" "100% tests passed")

# The operator of docs/tutorial.md.
set(made "${WORK}/made/scaler")
run("new scaler" "${prefix}/bin/gxr" new extension "${made}")
file(COPY "${SOURCE}/../extensions/tutorial/scaler.cpp" DESTINATION "${made}")
file(READ "${SOURCE}/../extensions/tutorial/offset.test" offset_test)
file(APPEND "${made}/tests/scaler.test" "${offset_test}")
run("configure scaler" "${CMAKE_COMMAND}" -S "${made}" -B "${build}-scaler" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" ${flags})
run("build scaler" "${CMAKE_COMMAND}" --build "${build}-scaler")
run("test scaler" "${CMAKE_CTEST_COMMAND}" --test-dir "${build}-scaler" --output-on-failure)
expect("test scaler" "100% tests passed")

run("configure the embedding program" "${CMAKE_COMMAND}" -S "${SOURCE}/embed" -B "${build}-embed" -G
    "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" ${flags})
run("build the embedding program" "${CMAKE_COMMAND}" --build "${build}-embed")
run("run the embedding program" "${build}-embed/embed" "${SOURCE}/embed/app.yaml")
expect("run the embedding program" "hello: 3 ticks\ncompleted\n")
run("push and tap" "${build}-embed/messages" "${SOURCE}/embed/messages.yaml")
expect("push and tap" "1\n2\n3\n")

# The extensions of the installation are found although the author's own lie beside the program.
run("run a program beside extensions" "${build}/embed" "${SOURCE}/embed/app.yaml")
expect("run a program beside extensions" "hello: 3 ticks\ncompleted\n")
# The same from a build tree.
run("run it with the build tree" "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${BUILD}" "${build}/embed"
    "${SOURCE}/embed/app.yaml")
expect("run it with the build tree" "hello: 3 ticks\ncompleted\n")

# create_gxe_application has written a manifest and scripts, which run the same with the installed gxe.
foreach(file IN ITEMS greeting greeting.sh greeting_manifest.yaml)
  if(NOT EXISTS "${build}/${file}")
    message(FATAL_ERROR "create_gxe_application did not write ${file}")
  endif()
endforeach()
foreach(script IN ITEMS greeting greeting.sh)
  run("start ${script}" "${build}/${script}" --param=guest/greeter::Greeter/name=everybody)
  expect("start ${script}" "greetings to everybody")
endforeach()
run("manifest" "${prefix}/bin/gxe" -app "${SOURCE}/extension/app.yaml" -manifest
    "${build}/greeting_manifest.yaml" -severity 2)
expect("manifest" "greetings to the installed runner\ngreetings to the installed runner\n")

# Names that are no targets: those of all extensions of gxr, those of GXF that gxr lacks, and mistakes.
function(configure_application build_name extensions)
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -S "${SOURCE}/gxe_application" -B "${build}-${build_name}" -G "${GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DEXTENSIONS=${extensions}" ${flags}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}") # CMake breaks lines
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(GLOB installed RELATIVE "${prefix}/lib/gxr/extensions" "${prefix}/lib/gxr/extensions/*.so")
list(TRANSFORM installed REPLACE "\\.so$" "")
list(FILTER installed EXCLUDE REGEX "_(cuda|gstreamer|cyclone)$") # halves of extensions
configure_application(known "${installed};GXF::npp;GXF::ucx")
expect("known extensions" "gxr does not have the types of GXF::ucx")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "known extensions: status ${status}\n${output}")
endif()
file(READ "${build}-known/application_manifest.yaml" output)
expect("manifest of known extensions" "- libgxf_std.so\n")
foreach(name IN ITEMS doesnotexist GXF::doesnotexist)
  string(REPLACE ":" "" build_name "${name}")
  configure_application(${build_name} "${name}")
  expect("unknown extension" "${name} is neither a target")
  if(status EQUAL 0)
    message(FATAL_ERROR "unknown extension: no failure\n${output}")
  endif()
endforeach()

# Data sets are not downloaded: CMake and the build say where they are taken from.
file(MAKE_DIRECTORY "${WORK}/data/endoscopy")
set(sets "-DHOLOSCAN_DOWNLOAD_DATASETS=ON")
run("configure with data sets" "${CMAKE_COMMAND}" -E env --unset=GXR_DATA "${CMAKE_COMMAND}" -S
    "${SOURCE}/gxe_application" -B "${build}-data" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_PREFIX_PATH=${prefix}" ${sets} ${flags})
expect("configure with data sets" "the folder with 'endoscopy' in it is named with -DGXR_DATA=FOLDER")
run("configure with the folder of data sets" "${CMAKE_COMMAND}" "-DGXR_DATA=${WORK}/data" "${build}-data")
expect("configure with the folder of data sets" "'endoscopy' is taken from ${WORK}/data/endoscopy (GXR_DATA)")
run("build with data sets" "${CMAKE_COMMAND}" --build "${build}-data")
expect("build with data sets" "'endoscopy' is taken from ${WORK}/data/endoscopy (GXR_DATA)")
run("configure with other data sets" "${CMAKE_COMMAND}" -E env "GXR_DATA=${WORK}/data" "${CMAKE_COMMAND}" -UGXR_DATA
    "-DGXR_DATA_SETS=endoscopy\;ultrasound" "${build}-data")
expect("configure with other data sets" "'ultrasound' would be taken from ${WORK}/data/ultrasound (GXR_DATA), which is not")
