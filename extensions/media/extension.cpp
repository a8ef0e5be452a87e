#include "gxr/gxr.hpp"
#include "media/sink.hpp"
#include "media/source.hpp"

void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::media;
  extension.add<Source>("Publishes pictures of a video file, a camera or a stream");
  extension.add<Sink>(
      "Encodes pictures into a video file, serves them by RTSP, or hands them to a pipeline");
}
