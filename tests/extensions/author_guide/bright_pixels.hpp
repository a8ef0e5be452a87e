#pragma once

#include <cstdint>

#include <gxr/gxr.hpp>

namespace guide {

/// Counts the bright pixels of a grey or colour picture and passes the picture on.
class BrightPixels final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Pictures").elements({gxr::ElementType::UInt8});
    interface.output(out_, "out", "The same messages");
    interface.parameter(threshold_, "threshold", "Mean of a bright pixel's channels")
        .default_value(128)
        .range(0, 255)
        .dynamic();
    interface.passes_messages();
  }

  void tick() override {
    gxr::Message message = in_.receive();
    log_info(std::to_string(count(message.get<gxr::Tensor>())) + " bright pixels");
    out_.publish(std::move(message));
  }

 private:
  [[nodiscard]] std::int64_t count(const gxr::Tensor& picture) const {
    const std::int32_t height = picture.shape().dimension(0);
    const std::int32_t width = picture.shape().dimension(1);
    const std::int32_t channels = picture.shape().dimension(2);  // 1 if there are two dimensions
    std::int64_t bright = 0;
    for (std::int32_t y = 0; y < height; ++y) {
      // Rows may have gaps: stride(0) is the number of bytes from one to the next.
      const std::uint8_t* row = picture.data<std::uint8_t>() + y * picture.stride(0);
      for (std::int32_t x = 0; x < width; ++x) {
        std::int32_t sum = 0;
        for (std::int32_t c = 0; c < channels; ++c) {
          sum += row[x * channels + c];
        }
        bright += sum >= *threshold_ * channels ? 1 : 0;
      }
    }
    return bright;
  }

  gxr::Input<gxr::Tensor> in_;
  gxr::Output<> out_;
  gxr::Parameter<std::int32_t> threshold_;
};

}  // namespace guide
