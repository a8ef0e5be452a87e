# The extensions of these sources, for the project here and for gxr's own tests. Needs CMAKE_CUDA_COMPILER where the files
# for the GPU are to be built.

# Files for the GPU, and those that stand in for them.
if(CMAKE_CUDA_COMPILER)
  set(camera_transfer ${CMAKE_CURRENT_LIST_DIR}/camera/transfer_cuda.cpp)
  set(filter_kernel ${CMAKE_CURRENT_LIST_DIR}/filter/filter_kernel.cu)
  set(cuda_libraries CUDA::cudart)
else()
  set(camera_transfer ${CMAKE_CURRENT_LIST_DIR}/camera/transfer_host.cpp)
  set(filter_kernel ${CMAKE_CURRENT_LIST_DIR}/filter/filter_no_cuda.cpp)
  set(cuda_libraries "")
endif()

gxr_add_gxf_extension(NAME gxf_camera
                      SOURCES ${CMAKE_CURRENT_LIST_DIR}/camera/camera_check.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/camera/camera_ext.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/camera/camera_source.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/camera/frame.cpp
                              ${camera_transfer}
                      LINK ${cuda_libraries})

gxr_add_gxf_extension(NAME gxf_filter
                      SOURCES ${CMAKE_CURRENT_LIST_DIR}/filter/filter_ext.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/filter/filter_host.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/filter/tensor_check.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/filter/tensor_filter.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/filter/tensor_source.cpp
                              ${filter_kernel}
                      LINK ${cuda_libraries})

gxr_add_gxf_extension(NAME gxf_detector
                      SOURCES ${CMAKE_CURRENT_LIST_DIR}/detector/candidate_source.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/detector/detection_check.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/detector/detector.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/detector/detector_ext.cpp)

gxr_add_gxf_extension(NAME gxf_terms
                      SOURCES ${CMAKE_CURRENT_LIST_DIR}/terms/codelets.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/terms/counting_allocator.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/terms/event_term.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/terms/polling_term.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/terms/terms_ext.cpp)

gxr_add_gxf_extension(NAME gxf_recorder
                      SOURCES ${CMAKE_CURRENT_LIST_DIR}/recorder/note_codelets.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/recorder/note_entity_serializer.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/recorder/note_serializer.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/recorder/recorder.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/recorder/recorder_ext.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/recorder/replayer.cpp)

gxr_add_gxf_extension(NAME gxf_ping
                      SOURCES ${CMAKE_CURRENT_LIST_DIR}/ping/ping_ext.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/ping/ping_rx.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/ping/ping_tx.cpp)

gxr_add_gxf_extension(NAME gxf_params
                      SOURCES ${CMAKE_CURRENT_LIST_DIR}/params/gauge.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/params/gauge_reader.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/params/parameter_ask.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/params/parameter_show.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/params/params_ext.cpp)

gxr_add_gxf_extension(NAME gxf_broken
                      SOURCES ${CMAKE_CURRENT_LIST_DIR}/broken/broken_ext.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/broken/faulty.cpp)

gxr_add_gxf_extension(NAME gxf_shared_messages SOURCES ${CMAKE_CURRENT_LIST_DIR}/shared/messages_ext.cpp)
gxr_add_gxf_extension(NAME gxf_shared_users SOURCES ${CMAKE_CURRENT_LIST_DIR}/shared/users_ext.cpp LINK
                      gxf_shared_messages)
foreach(target IN ITEMS gxf_shared_messages gxf_shared_users)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_LIST_DIR})
endforeach()

# What the programs of embed/ load.
gxr_add_gxf_extension(NAME gxf_embed_ext SOURCES ${CMAKE_CURRENT_LIST_DIR}/embed/counter.cpp
                                                 ${CMAKE_CURRENT_LIST_DIR}/embed/embed_ext.cpp)
