#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"
#include "image/tensor_image.hpp"

namespace gxr {
namespace image {

enum class Codec : std::uint8_t { Jpeg, Png };

/// Makes the bytes of a picture file from each picture.
class Encoder final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  void encode(const InputImage& image, Tensor& file);

  Input<Tensor> in_;
  Output<Tensor> out_;
  Parameter<Codec> codec_;
  Parameter<std::int32_t> quality_;
  Parameter<std::int32_t> compression_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  std::vector<std::byte> scratch_;  // a picture with elements that the codec takes
};

}  // namespace image

template <>
struct EnumNames<image::Codec> {
  static constexpr std::pair<image::Codec, const char*> values[] = {
      {image::Codec::Jpeg, "jpeg"},
      {image::Codec::Png, "png"},
  };
};

}  // namespace gxr
