#pragma once

#include "gxf/std/queue.hpp"
#include "gxf/std/transmitter.hpp"

namespace nvidia {
namespace gxf {

/// An input queue.
class GXR_GXF_API Receiver : public Queue {
 public:
  explicit Receiver(gxr::Receiver& receiver) noexcept;
  ~Receiver() override;

  /// The oldest message; GXF_FAILURE when there is none.
  Expected<Entity> receive();
  std::size_t back_size();
  /// The message `index` places behind the oldest of the back stage.
  Expected<Entity> peekBack(std::int32_t index = 0);
  Expected<void> sync();
  Expected<void> sync_io() { return Success; }
  Expected<void> wait() { return Success; }
  Expected<void> setTransmitter(Handle<Transmitter> transmitter);

 private:
  gxr::Receiver& receiver_;
};

}  // namespace gxf
}  // namespace nvidia
