#pragma once

#include <cstdint>
#include <utility>

#include "gxr/parameter.hpp"
#include "media/gstreamer.hpp"

namespace gxr {

class Interface;

namespace media {

enum class SampleFormat : std::uint8_t { Auto, S16Le, F32Le };

/// The parameters of sources of sound.
class SoundParameters {
 public:
  void declare(Interface& interface);
  [[nodiscard]] Medium medium() const { return medium_.get(); }
  /// Throws Error(InvalidParameter) when a parameter has no effect on such a source.
  [[nodiscard]] SoundForm form() const;

 private:
  Parameter<Medium> medium_;
  Parameter<SampleFormat> format_;
  Parameter<std::int32_t> rate_;
  Parameter<std::int32_t> channels_;
};

}  // namespace media

template <>
struct EnumNames<media::SampleFormat> {
  static constexpr std::pair<media::SampleFormat, const char*> values[] = {
      {media::SampleFormat::Auto, "auto"},
      {media::SampleFormat::S16Le, "S16LE"},
      {media::SampleFormat::F32Le, "F32LE"},
  };
};

}  // namespace gxr
