#include "gxr/gxr.hpp"
#include "stream_playback/video_stream_replayer.hpp"
#include "stream_playback/video_stream_serializer.hpp"

void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::stream_playback;
  extension.add<VideoStreamReplayer>("Publishes the messages of a recording at a pace")
      .alias("nvidia::holoscan::stream_playback::VideoStreamReplayer");
  extension
      .add<VideoStreamSerializer, gxr::StdEntitySerializer>(
          "Writes and reads messages in GXF's format, quietly")
      .alias("nvidia::holoscan::stream_playback::VideoStreamSerializer");
}
