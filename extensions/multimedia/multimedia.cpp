// Data types only; their code is in libgxr.so, because every extension that has such data uses it.

#include "gxr/gxr.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/camera.hpp"
#include "gxr/multimedia/video_buffer.hpp"

void gxr_extension(gxr::Extension& extension) {
  using namespace gxr;
  extension.add_data<VideoBuffer>("One picture of a video").alias("nvidia::gxf::VideoBuffer");
  extension.add_data<AudioBuffer>("A piece of a sound").alias("nvidia::gxf::AudioBuffer");
  extension.add_data<CameraModel>("Which point of a picture a direction falls on")
      .alias("nvidia::gxf::CameraModel");
  extension.add_data<Pose3D>("Where something is and how it is turned")
      .alias("nvidia::gxf::Pose3D");
}
