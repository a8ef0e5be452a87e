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
void add_native_parts() {
  add_native<Tensor, gxr::Tensor>();
  add_native<Shape, gxr::Shape>();
  add_native<Timestamp, gxr::Timestamp>();
  add_native<MultiSourceTimestamp, gxr::MultiSourceTimestamp>();
  add_native<EndOfStream, gxr::EndOfStream>();
  add_native<VideoBuffer, gxr::VideoBuffer>();
  add_native<AudioBuffer, gxr::AudioBuffer>();
  add_native<CameraModel, gxr::CameraModel>();
  add_native<Pose3D, gxr::Pose3D>();
}

}  // namespace nvidia::gxf::layer
