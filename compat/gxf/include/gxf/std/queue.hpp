#pragma once

#include <cstddef>
#include <cstdint>

#include "gxf/core/component.hpp"

namespace gxr {

class Queue;
class Receiver;
class Transmitter;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// A queue of the graph, as sources see it. Queues are gxr's; sources cannot derive from this.
class GXR_GXF_API Queue : public Component {
 public:
  /// For the text of the error when a source derives from it all the same.
  using OnlyOfGxr = void;

  ~Queue() override;

  Expected<Entity> pop();
  Expected<void> push(const Entity& message);
  /// The message `index` places behind the oldest of the main stage.
  Expected<Entity> peek(std::int32_t index = 0);
  std::size_t capacity();
  /// Messages of the main stage.
  std::size_t size();

 protected:
  explicit Queue(gxr::Queue& queue) noexcept : queue_(queue) {}
  gxr::Queue& queue() const noexcept { return queue_; }

 private:
  gxr::Queue& queue_;
};

}  // namespace gxf
}  // namespace nvidia
