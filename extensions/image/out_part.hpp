#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "gxr/interface.hpp"
#include "gxr/message.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/parameter.hpp"
#include "gxr/port.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace image {

/// Values of the parameter `out_part`.
enum class PicturePart : std::uint8_t { Tensor, VideoBuffer };

/// The parameter `out_part` of operators that make pictures: what part of a message holds them.
class OutPart {
 public:
  void declare(Interface& interface);
  /// Adds a picture of 1 to 4 channels that nobody else has. `format` is that of a VideoBuffer, if
  /// its red is not first. Throws Error(NotSupported) when no format holds the picture.
  void add(Message& output, std::string_view name, Tensor&& picture,
           std::optional<VideoFormat> format = {}) const;
  [[nodiscard]] bool is_tensor() const { return part_.get() == PicturePart::Tensor; }
  /// For infer(). Throws Error(InvalidArgument) for a VideoBuffer, which no CUDA graph has.
  void require_tensor() const;

 private:
  Parameter<PicturePart> part_;
};

/// Declares that a port sends what OutPart::add() makes, and perhaps more. `port` speaks of a
/// tensor.
PortDeclaration sends_pictures(PortDeclaration port);

}  // namespace image

template <>
struct EnumNames<image::PicturePart> {
  static constexpr std::pair<image::PicturePart, const char*> values[] = {
      {image::PicturePart::Tensor, "tensor"},
      {image::PicturePart::VideoBuffer, "video_buffer"},
  };
};

}  // namespace gxr
