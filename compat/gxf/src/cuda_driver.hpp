#pragma once

#include "gxr/device_work.hpp"

struct CUevent_st;
struct CUstream_st;

namespace nvidia::gxf::layer {

/// What the layer itself asks of CUDA: functions of the driver, which every machine with a GPU has
/// in libcuda.so.1. Whatever version of CUDA's runtime a source is linked with, its streams and
/// events are those of the driver.
///
/// The functions throw gxr::Error(Device) with CUDA's name and text of the error and the call.
class CudaDriver {
 public:
  /// Throws gxr::Error(NotSupported), which says why there is none.
  static const CudaDriver& get();

  /// The GPU that the calling thread uses; as in CUDA's runtime, 0 if it has not used any.
  [[nodiscard]] int current_device() const;
  /// An event with the flags of cudaEventCreateWithFlags().
  [[nodiscard]] CUevent_st* create_event(unsigned flags, int device) const;
  void destroy_event(CUevent_st* event, int device) const noexcept;
  /// The event is behind what the stream, of this GPU, has been given.
  void record(CUevent_st* event, CUstream_st* stream, int device) const;
  [[nodiscard]] bool has_happened(CUevent_st* event, int device) const;
  void wait(CUevent_st* event, int device) const;
  /// What the stream is given from now on begins after the event.
  void let_wait(CUstream_st* stream, CUevent_st* event, int device) const;
  /// Calls `function` when the work that the stream has so far is done.
  void call_behind(CUstream_st* stream, int device, void (*function)(void*), void* data) const;

  /// Work that is done when the event has happened. An event that nobody has recorded has.
  [[nodiscard]] gxr::DeviceWork work_behind(CUevent_st* event, int device) const;
  /// An event for work of gxr.
  [[nodiscard]] CUevent_st* event_behind(const gxr::DeviceWork& work) const;

 private:
  class OnDevice;

  CudaDriver();
  void require(int error, const char* call) const;

  int (*error_name_)(int, const char**) = nullptr;
  int (*error_text_)(int, const char**) = nullptr;
  int (*device_get_)(int*, int) = nullptr;
  int (*retain_)(void**, int) = nullptr;
  int (*push_)(void*) = nullptr;
  int (*pop_)(void**) = nullptr;
  int (*current_device_)(int*) = nullptr;
  int (*event_create_)(CUevent_st**, unsigned) = nullptr;
  int (*event_destroy_)(CUevent_st*) = nullptr;
  int (*event_record_)(CUevent_st*, CUstream_st*) = nullptr;
  int (*event_query_)(CUevent_st*) = nullptr;
  int (*event_wait_)(CUevent_st*) = nullptr;
  int (*stream_wait_)(CUstream_st*, CUevent_st*, unsigned) = nullptr;
  int (*call_)(CUstream_st*, void (*)(void*), void*) = nullptr;
};

}  // namespace nvidia::gxf::layer
