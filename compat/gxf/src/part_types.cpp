// The data types that are classes of their own for sources and the same objects for gxr.

#include "gxf/multimedia/audio.hpp"
#include "gxf/multimedia/camera.hpp"
#include "gxf/multimedia/video.hpp"
#include "gxf/std/eos.hpp"
#include "gxf/std/shape.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/timestamp.hpp"
#include "gxr/message.hpp"
#include "gxr/message_data.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/camera.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "gxr/timestamp.hpp"
#include "native_types.hpp"
#include "types.hpp"

namespace nvidia::gxf::layer {
namespace {

/// T of sources is Native of gxr.
template <class T, class Native>
void add_part() {
  static_assert(sizeof(T) == sizeof(Native) && alignof(T) == alignof(Native));
  add_native_data(TypenameAsString<T>(), gxr::TypeIdOf<Native>::value,
                  gxr::detail::OperationsOf<Native>::kAll,
                  [](void* memory) { ::new (memory) Native(); });
}

}  // namespace

void add_native_parts() {
  add_part<Tensor, gxr::Tensor>();
  add_part<Shape, gxr::Shape>();
  add_part<Timestamp, gxr::Timestamp>();
  add_part<MultiSourceTimestamp, gxr::MultiSourceTimestamp>();
  add_part<EndOfStream, gxr::EndOfStream>();
  add_part<VideoBuffer, gxr::VideoBuffer>();
  add_part<AudioBuffer, gxr::AudioBuffer>();
  add_part<CameraModel, gxr::CameraModel>();
  add_part<Pose3D, gxr::Pose3D>();
}

}  // namespace nvidia::gxf::layer
