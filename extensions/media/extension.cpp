#include "gxr/gxr.hpp"
#include "media/sink.hpp"
#include "media/source.hpp"

void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::media;
  extension.add<Source>("Publishes pictures or sound of a file, a camera or a stream");
  extension.add<Sink>(
      "Encodes pictures or sound into a file, serves pictures by RTSP, or hands them to a "
      "pipeline");
}
