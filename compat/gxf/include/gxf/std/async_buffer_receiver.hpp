#pragma once

#include "gxf/std/receiver.hpp"

namespace nvidia {
namespace gxf {

/// gxr's mailbox.
class GXR_GXF_API AsyncBufferReceiver : public Receiver {
 public:
  using Receiver::Receiver;
  ~AsyncBufferReceiver() override;
};

}  // namespace gxf
}  // namespace nvidia
