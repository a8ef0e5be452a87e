#pragma once

#include <optional>
#include <string_view>

#include "gxr/message.hpp"
#include "gxr/queue.hpp"
#include "image/gpu_tick.hpp"
#include "image/placement.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// One tick of a codelet that works on one picture: receives the message, and decides where the
/// work is done. Keep it until the results are published.
class Reception {
 public:
  /// `tensor_name` is as in find_image(). Throws what Receiver::receive(), find_image() and
  /// Streams::initialize() throw.
  Reception(Placement& placement, Receiver& in, std::string_view tensor_name);

  [[nodiscard]] const Message& message() const noexcept { return message_; }
  /// As received: it may be anywhere. See reachable().
  [[nodiscard]] const InputImage& image() const noexcept { return image_; }
  /// nullptr: the work is the CPU's.
  [[nodiscard]] const GpuTick* gpu() const noexcept { return gpu_ ? &*gpu_ : nullptr; }

 private:
  std::optional<GpuTick> gpu_;  // until all else is gone
  Message message_;
  InputImage image_;
};

}  // namespace gxr::image
