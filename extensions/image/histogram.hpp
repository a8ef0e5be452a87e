#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Counts the values of a picture, and draws the counts as a picture.
class Histogram final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  void publish_counts(const Message& message, const InputImage& input);
  void publish_picture(const Message& message, const InputImage& input);

  Parameter<Handle<Receiver>> in_;
  Parameter<Handle<Transmitter>> out_;
  Parameter<Handle<Transmitter>> picture_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  Parameter<std::int32_t> picture_width_;
  Parameter<std::int32_t> picture_height_;

  std::vector<std::uint32_t> counts_;  // channels x kHistogramBins of the present picture
};

}  // namespace gxr::image
