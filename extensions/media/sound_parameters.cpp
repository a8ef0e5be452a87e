#include "media/sound_parameters.hpp"

#include "gxr/error.hpp"
#include "gxr/interface.hpp"

namespace gxr::media {

void SoundParameters::declare(Interface& interface) {
  interface
      .parameter(medium_, "media", "The stream to publish: pictures, or the sound",
                 "audio: messages have a gxr::AudioBuffer with the samples of some time; 'count' "
                 "and 'buffers' count these. Another Source of the same file publishes the "
                 "pictures.")
      .default_value(Medium::Video);
  interface
      .parameter(format_, "sample_format", "How a sample of the sound is stored",
                 "auto: as the source has it, if it is one of these.")
      .default_value(SampleFormat::Auto);
  interface.parameter(rate_, "sampling_rate", "Samples a second of the sound; 0: the source's")
      .unit("Hz")
      .range(0, 768000)
      .default_value(0);
  interface.parameter(channels_, "channels", "Channels of the sound; 0: the source's")
      .range(0, 64)
      .default_value(0);
}

SoundForm SoundParameters::form() const {
  const bool is_any =
      format_.get() == SampleFormat::Auto && rate_.get() == 0 && channels_.get() == 0;
  if (medium_.get() == Medium::Video && !is_any) {
    throw Error(ErrorCode::InvalidParameter,
                "'sample_format', 'sampling_rate' and 'channels' are of sound: set 'media: audio'");
  }
  return {format_.get() == SampleFormat::S16Le   ? AudioFormat::S16Le
          : format_.get() == SampleFormat::F32Le ? AudioFormat::F32Le
                                                 : AudioFormat::Custom,
          rate_.get(), channels_.get()};
}

}  // namespace gxr::media
