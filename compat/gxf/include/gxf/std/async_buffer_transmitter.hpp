#pragma once

#include "gxf/std/transmitter.hpp"

namespace nvidia {
namespace gxf {

/// gxr's mailbox.
class GXR_GXF_API AsyncBufferTransmitter : public Transmitter {
 public:
  using Transmitter::Transmitter;
  ~AsyncBufferTransmitter() override;
};

}  // namespace gxf
}  // namespace nvidia
