#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/queue.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Elements of a picture in rows that may have gaps, anywhere in memory that the CPU reads.
struct Pixels {
  const std::byte* first = nullptr;
  ImageShape shape;
  ElementType type = ElementType::UInt8;
  std::array<std::uint64_t, 3> strides{};  ///< bytes, of rows, columns and channels
};

/// Turns pictures of any kind into tensors of uint8 or uint16 with 1, 3 or 4 channels, which files
/// and screens show. Works on the CPU.
class Viewable final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  void show(const Message& message, Message& output);
  void turn(const VideoBuffer& buffer, std::string_view name, Message& output);
  /// For a VideoBuffer of one plane.
  void turn(const InputImage& image, Message& output);
  void turn(const Tensor& tensor, std::string_view name, Message& output);
  void stretch_to(const Pixels& pixels, Tensor& result) const;

  Input<> in_;
  Output<> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::string> in_tensor_name_;

  std::uint64_t dropped_ = 0;
};

}  // namespace gxr::image
