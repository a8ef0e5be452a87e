#pragma once

#include "gxf/std/receiver.hpp"

namespace nvidia {
namespace gxf {

/// gxr's usual queue under its own name.
class GXR_GXF_API DoubleBufferReceiver : public Receiver {
 public:
  using Receiver::Receiver;
  ~DoubleBufferReceiver() override;
};

}  // namespace gxf
}  // namespace nvidia
